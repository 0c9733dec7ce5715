#include "oracle/collada/second_reading.h"

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "load/importer/importer.h"
#include "load/mesh/collada.h"
#include "oracle/collada/soup_match.h"

double gz_second_reading_unit(const gz_collada *c) {
    return c->reader->options->collada == GRAZE_COLLADA_MOVEIT ? 1.0 : c->facts.unit;
}

// ------------------------------------------------------------------------------------- warnings

/// Says why there is nothing to compare with. What is allowed would be an error's to say; and what
/// assimp cites of the file, or a program that is no importer says, may be no text at all.
static void warn_failed(const gz_mesh_reader *input, const graze_error *error) {
    char reason[GRAZE_MESSAGE_SIZE];
    snprintf(reason, sizeof reason, "%s", error->message);
    char *allowed = strstr(reason, "; allowed: ");
    if (allowed) *allowed = '\0';
    for (char *at = reason; *at; at++)
        if (*at < ' ' || *at > '~') *at = '?';
    gz_warn(input->warnings, "second-reader-failed", gz_mesh_place(input, 0),
            "not compared with assimp: %s", reason);
}

/// "the first of them (0 0 0) (1 0 0) (0 1 0)"
static void write_triangle(const gz_soup *soup, size_t index, char *text, size_t size) {
    const double *v[3];
    for (size_t k = 0; k < 3; k++)
        v[k] = soup->vertices + 3 * (size_t)soup->triangles[3 * index + k];
    snprintf(text, size, "the first of them (%.6g %.6g %.6g) (%.6g %.6g %.6g) (%.6g %.6g %.6g)",
             v[0][0], v[0][1], v[0][2], v[1][0], v[1][1], v[1][2], v[2][0], v[2][1], v[2][2]);
}

static void warn_differ(const gz_mesh_reader *input, const gz_soup *const soups[2],
                        const gz_soup_match *match) {
    static const char *const names[2] = {"graze", "assimp"};
    char lacking[2][300] = {"", ""}, apart[80] = "";
    for (int i = 0; i < 2; i++) {
        char triangle[200];
        if (!match->lacking[i]) continue;
        write_triangle(soups[i], match->first[i], triangle, sizeof triangle);
        snprintf(lacking[i], sizeof lacking[i], "; only %s has %zu, %s", names[i],
                 match->lacking[i], triangle);
    }
    if (match->apart > 0)
        snprintf(apart, sizeof apart, "; bounds up to %.3g m apart", match->apart);
    gz_warn(input->warnings, "readers-differ", gz_mesh_place(input, 0),
            "graze reads %zu triangles, assimp %zu%s%s%s", soups[0]->triangle_count,
            soups[1]->triangle_count, lacking[0], lacking[1], apart);
}

// ------------------------------------------------------------------------------------- polygons

static size_t find(size_t *numbers, size_t i) {
    while (numbers[i] != i) i = numbers[i] = numbers[numbers[i]];
    return i;
}

/// Of assimp's reading, no two polygons share a vertex (gz_assimp_read()), so that triangles which
/// do are of one.
static bool number_polygons(const gz_soup *soup, size_t *numbers) {
    size_t *users = gz_malloc(soup->vertex_count + 1, sizeof *users);
    if (!users) return false;
    for (size_t i = 0; i < soup->vertex_count; i++) users[i] = SIZE_MAX;
    for (size_t i = 0; i < soup->triangle_count; i++) {
        numbers[i] = i;
        for (size_t k = 0; k < 3; k++) {
            size_t *user = &users[soup->triangles[3 * i + k]];
            if (*user == SIZE_MAX)
                *user = i;
            else
                numbers[find(numbers, i)] = find(numbers, *user);
        }
    }
    for (size_t i = 0; i < soup->triangle_count; i++) numbers[i] = find(numbers, i);
    gz_free(users);
    return true;
}

// ---------------------------------------------------------------------------------------- whole

static graze_status match_polygons(gz_collada *c, const gz_soup *const soups[2], double tolerance,
                                   gz_soup_match *match, graze_error *error) {
    size_t *numbers[2];
    for (int i = 0; i < 2; i++)
        numbers[i] = gz_malloc(soups[i]->triangle_count + 1, sizeof *numbers[i]);
    graze_status status = GRAZE_ERROR_NO_MEMORY;
    if (numbers[0] && numbers[1] && number_polygons(soups[1], numbers[1]))
        status = gz_second_reading_polygons(c, soups[0], numbers[0], error);
    const gz_soup_cut ours = {soups[0], numbers[0]}, theirs = {soups[1], numbers[1]};
    if (!status && !gz_soup_match_find(match, &ours, &theirs, tolerance))
        status = GRAZE_ERROR_NO_MEMORY;
    for (int i = 0; i < 2; i++) gz_free(numbers[i]);
    return status ? gz_fail_memory(error) : GRAZE_OK;
}

static graze_status compare(gz_collada *c, gz_mesh_reader *again, const gz_soup *ours) {
    graze_error *error = again->error;
    double tolerance;
    gz_soup_match match;
    graze_status status = gz_importer_read(again, "dae");
    if (!status) status = gz_second_reading_tolerance(c, ours, &tolerance, error);
    const gz_soup *const soups[2] = {ours, again->soup};
    if (!status) status = match_polygons(c, soups, tolerance, &match, error);
    if (!status && (match.lacking[0] || match.lacking[1])) warn_differ(again, soups, &match);
    return status;
}

/// What assimp read is compared before the scale's sign turns the windings of both.
static void read_again(gz_collada *c, const gz_soup *soup) {
    gz_warnings unheard = {0};
    graze_error error = {0};
    gz_mesh_reader again = *c->reader;
    again.warnings = &unheard;
    again.error = &error;
    again.soup = gz_soup_create();
    again.polygons = (gz_polygons){0};
    again.lines = 0;
    graze_status status = again.soup ? GRAZE_OK : gz_fail_memory(&error);
    if (!status) status = compare(c, &again, soup);
    gz_polygons_free(&again.polygons);
    for (size_t i = 0; i < unheard.count; i++)
        if (strcmp(unheard.items[i].code, "readers-differ") == 0)
            gz_warn(c->reader->warnings, "readers-differ", gz_mesh_place(c->reader, 0), "%s",
                    unheard.items[i].message);
    if (status) warn_failed(c->reader, &error);
    gz_warnings_free(&unheard);
    gz_soup_free(again.soup);
}

/// As collada.c places a scene: right, up and out of the screen are -y x z for X_UP, x y z for
/// Y_UP.
static gz_affine start(const gz_collada *c) {
    const double s = gz_second_reading_unit(c);
    const bool turns = c->reader->options->collada == GRAZE_COLLADA_SPEC;
    if (turns && c->facts.up == 'x')
        return (gz_affine){{{0, -s, 0, 0}, {0, 0, -s, 0}, {s, 0, 0, 0}}};
    if (turns && c->facts.up == 'y')
        return (gz_affine){{{s, 0, 0, 0}, {0, 0, -s, 0}, {0, s, 0, 0}}};
    return gz_affine_scale(s);
}

graze_status gz_second_reading_compare(gz_mesh_reader *reader) {
    gz_collada c;
    graze_status status = gz_collada_open(&c, reader);
    const gz_affine first = start(&c);
    if (!status) status = gz_collada_append_scene(&c, &first);
    if (!status && reader->soup->triangle_count) read_again(&c, reader->soup);
    gz_collada_close(&c);
    return status;
}
