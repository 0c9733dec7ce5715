// Roadmaps as bytes: what is written is read, and what is damaged, cut short or of another robot,
// other rules or another world is refused.
#include "plan_fixture.h"

#include "base/memory.h"
#include "base/sha256.h"
#include "graze/roadmap.h"
#include "unit/trials.h"

enum { SUM = GZ_SHA256_TEXT - 1 };

static const char arm_urdf[] =
    "<robot name='arm'><link name='base'/>"
    "<link name='upper'><collision><origin xyz='0.25 0 0'/><geometry><box size='0.5 0.06 0.06'/>"
    "</geometry></collision></link>"
    "<joint name='shoulder' type='%s'><parent link='base'/><child link='upper'/>"
    "<axis xyz='0 0 1'/><limit lower='-3' upper='3' effort='1' velocity='1'/></joint></robot>";

typedef struct file {
    fixture f;
    graze_roadmap *map;
    unsigned char *bytes;
    size_t size;
} file;

static void set_up(file *x, const char *joint) {
    char urdf[sizeof arm_urdf + 32];
    snprintf(urdf, sizeof urdf, arm_urdf, joint);
    fixture_begin(&x->f, urdf);
    fixture_box(&x->f, "a", 0.1, 0.1, 0.1, 0.4, 0.1, 0);
    fixture_box(&x->f, "b", 0.1, 0.1, 0.1, 3, 0, 0);
    fixture_finish(&x->f);
    graze_roadmap_options o = graze_roadmap_options_default();
    o.nodes = 8;
    o.neighbours = 2;
    o.seed = 3;
    assert_int_equal(graze_roadmap_build(&x->map, x->f.checker, NULL, NULL, &o, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_pack(&x->bytes, &x->size, x->map, NULL), GRAZE_OK);
}

static void tear_down(file *x) {
    graze_roadmap_bytes_free(x->bytes);
    graze_roadmap_free(x->map);
    fixture_free(&x->f);
}

static graze_status read_bytes(const file *x, const unsigned char *bytes, size_t size,
                               graze_error *error) {
    graze_roadmap *out;
    graze_status status = graze_roadmap_unpack(&out, bytes, size, x->f.checker, NULL, NULL, error);
    assert_int_equal(status == GRAZE_OK, out != NULL);
    graze_roadmap_free(out);
    return status;
}

static void test_what_is_written_is_read(void **context) {
    (void)context;
    file x;
    graze_roadmap *read;
    unsigned char *bytes;
    size_t size;
    set_up(&x, "revolute");
    assert_int_equal(graze_roadmap_unpack(&read, x.bytes, x.size, x.f.checker, NULL, NULL, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_roadmap_pack(&bytes, &size, read, NULL), GRAZE_OK);
    assert_int_equal(size, x.size);
    assert_memory_equal(bytes, x.bytes, size);
    graze_roadmap_info written, now;
    assert_int_equal(graze_roadmap_describe(x.map, &written), GRAZE_OK);
    assert_int_equal(graze_roadmap_describe(read, &now), GRAZE_OK);
    assert_true(now.seed == 3 && now.neighbours == 2 && now.samples == written.samples);
    assert_true(now.nodes == written.nodes && now.edges == written.edges);
    assert_true(now.components == written.components && now.resolution == written.resolution);
    graze_roadmap_bytes_free(bytes);
    graze_roadmap_free(read);
    tear_down(&x);
}

/// Copies of the right length, so that reading beyond the end is seen.
static void test_every_truncation_is_refused(void **context) {
    (void)context;
    file x;
    set_up(&x, "revolute");
    for (size_t size = 0; size < x.size; size++) {
        unsigned char *cut = malloc(size + (size == 0));
        graze_error error;
        memcpy(cut, x.bytes, size);
        assert_int_equal(read_bytes(&x, cut, size, &error), GRAZE_ERROR_PARSE);
        assert_true(error.message[0] != 0);
        free(cut);
    }
    tear_down(&x);
}

static void test_every_altered_byte_is_refused(void **context) {
    (void)context;
    file x;
    set_up(&x, "revolute");
    for (size_t i = 0; i < x.size; i++)
        for (int bit = 0; bit < 8; bit += 3) {
            graze_error error;
            x.bytes[i] ^= (unsigned char)(1 << bit);
            graze_status status = read_bytes(&x, x.bytes, x.size, &error);
            // Bytes 8 to 11 are the version.
            assert_int_equal(status,
                             i >= 8 && i < 12 ? GRAZE_ERROR_UNSUPPORTED : GRAZE_ERROR_PARSE);
            x.bytes[i] ^= (unsigned char)(1 << bit);
        }
    assert_int_equal(read_bytes(&x, x.bytes, x.size, NULL), GRAZE_OK);
    tear_down(&x);
}

/// What somebody alters who sums the bytes anew is read, or refused; either way nothing goes beyond
/// memory, and what is read answers queries.
static void test_altered_bytes_with_the_right_sum_do_no_harm(void **context) {
    (void)context;
    file x;
    size_t accepted = 0, refused = 0;
    set_up(&x, "revolute");
    unsigned char *copy = malloc(x.size);
    const int values[] = {0, 1, 0x7f, 0x80, 0xff};
    for (size_t i = 12; i < x.size - SUM; i++)
        for (size_t v = 0; v < TRIALS(5u, 2u); v++) {
            graze_roadmap *read;
            char text[GZ_SHA256_TEXT];
            gz_sha256 hash = gz_sha256_begin();
            memcpy(copy, x.bytes, x.size);
            copy[i] = (unsigned char)values[v];
            gz_sha256_add(&hash, copy, x.size - SUM);
            gz_sha256_finish(&hash, text);
            memcpy(copy + x.size - SUM, text, SUM);
            graze_status status = graze_roadmap_unpack(&read, copy, x.size, x.f.checker, NULL, NULL,
                                                       NULL);
            accepted += status == GRAZE_OK;
            refused += status != GRAZE_OK;
            if (status != GRAZE_OK) continue;
            const double start = -2, goal = 2;
            graze_roadmap_workspace *ws;
            graze_roadmap_result r;
            assert_int_equal(graze_roadmap_workspace_create(&ws, read, NULL), GRAZE_OK);
            status = graze_roadmap_find(ws, &start, NULL, &goal, NULL, NULL, &r, NULL);
            assert_true(status == GRAZE_OK || status == GRAZE_ERROR_RANGE); // a base out of range
            graze_roadmap_workspace_free(ws);
            graze_roadmap_free(read);
        }
    assert_true(accepted > 100 && refused > 100);
    free(copy);
    tear_down(&x);
}

static void test_another_robot_is_refused(void **context) {
    (void)context;
    file x, other;
    graze_error error;
    set_up(&x, "revolute");
    set_up(&other, "continuous");
    assert_int_equal(read_bytes(&other, x.bytes, x.size, &error), GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "robot"));
    assert_int_equal(read_bytes(&x, other.bytes, other.size, &error), GRAZE_ERROR_SCHEMA);
    tear_down(&x);
    tear_down(&other);
}

/// Refused as it is; read as an update it is the same as the revised one.
static void test_another_world_needs_an_update(void **context) {
    (void)context;
    file x;
    set_up(&x, "revolute");
    graze_world_change c = graze_world_change_default();
    graze_transform pose = graze_transform_identity();
    graze_world *world;
    graze_checker *checker;
    graze_roadmap *read, *revised;
    graze_roadmap_update u[2];
    graze_error error;
    const graze_roadmap_options o = graze_roadmap_options_default();
    unsigned char *bytes[2];
    size_t sizes[2];
    pose.m[3] = -0.4;
    c.name = "a";
    c.pose = &pose;
    assert_int_equal(graze_world_revise(&world, x.f.world, &c, 1, NULL), GRAZE_OK);
    assert_int_equal(graze_checker_with_world(&checker, x.f.checker, world, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_unpack(&read, x.bytes, x.size, checker, NULL, NULL, &error),
                     GRAZE_ERROR_SCHEMA);
    assert_non_null(strstr(error.message, "1 of its objects are gone or moved, 1 are new"));
    assert_int_equal(graze_roadmap_unpack(&read, x.bytes, x.size, checker, &o, &u[0], NULL),
                     GRAZE_OK);
    assert_int_equal(graze_roadmap_revise(&revised, x.map, checker, &o, &u[1], NULL), GRAZE_OK);
    assert_int_equal(u[0].tested, u[1].tested);
    assert_int_equal(graze_roadmap_pack(&bytes[0], &sizes[0], read, NULL), GRAZE_OK);
    assert_int_equal(graze_roadmap_pack(&bytes[1], &sizes[1], revised, NULL), GRAZE_OK);
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(bytes[0], bytes[1], sizes[0]);
    for (int i = 0; i < 2; i++) graze_roadmap_bytes_free(bytes[i]);
    graze_roadmap_free(read);
    graze_roadmap_free(revised);
    graze_checker_free(checker);
    graze_world_free(world);
    tear_down(&x);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_written_is_read),
        cmocka_unit_test(test_every_truncation_is_refused),
        cmocka_unit_test(test_every_altered_byte_is_refused),
        cmocka_unit_test(test_altered_bytes_with_the_right_sum_do_no_harm),
        cmocka_unit_test(test_another_robot_is_refused),
        cmocka_unit_test(test_another_world_needs_an_update),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
