// Replays the must-fail meshes of tests/bad/mesh: each has its status and line written down in
// expected_mesh.tsv, and a part of its message.

#include "graze/base.h"
#include "unit/load/mesh_case.h"

#define BAD_DIR GRAZE_SOURCE_DIR "/tests/bad/"

enum { COLUMNS = 4 };

static bool split(char *line, char *fields[COLUMNS]) {
    line[strcspn(line, "\n")] = '\0';
    if (line[0] == '#' || line[0] == '\0') return false;
    for (int i = 0; i < COLUMNS; i++) {
        fields[i] = line;
        line += strcspn(line, "\t");
        if (*line) *line++ = '\0';
    }
    return true;
}

/// Prints what differs and returns false.
static bool as_expected(char *fields[COLUMNS], const mesh_case *m, graze_status status) {
    const graze_error *e = &m->error;
    bool good = strcmp(graze_status_name(status), fields[1]) == 0 && e->status == status &&
                e->line == atoi(fields[2]) && strstr(e->message, fields[3]) && e->message[0] &&
                !strpbrk(e->message, "\n\r\t") && strncmp(e->file, BAD_DIR, strlen(BAD_DIR)) == 0 &&
                !m->soup;
    if (!good)
        print_error("%s: expected %s at line %s, \"%s\"\n  got %s at %s:%d: %s\n", fields[0],
                    fields[1], fields[2], fields[3], graze_status_name(status), e->file,
                    (int)e->line, e->message);
    return good;
}

static void test_every_bad_mesh_fails_as_written_down(void **state) {
    mesh_case *m = *state;
    FILE *table = fopen(BAD_DIR "expected_mesh.tsv", "r");
    assert_non_null(table);
    char line[1024], path[512];
    int replayed = 0, wrong = 0;
    while (fgets(line, sizeof line, table)) {
        char *fields[COLUMNS];
        if (!split(line, fields)) continue;
        snprintf(path, sizeof path, BAD_DIR "mesh/%s", fields[0]);
        mesh_case_clear(m);
        gz_mesh_budget before = m->budget;
        graze_status status = gz_mesh_file_read(&m->soup, path, NULL, &m->options, &m->budget,
                                                &m->warnings, &m->error);
        assert_memory_equal(&before, &m->budget, sizeof before);
        wrong += !as_expected(fields, m, status);
        replayed++;
    }
    fclose(table);
    print_message("%d bad meshes, %d not as written down\n", replayed, wrong);
    assert_int_equal(wrong, 0);
    assert_true(replayed >= 45);
}

int main(void) {
    const struct CMUnitTest tests[] = {MESH_TEST(test_every_bad_mesh_fails_as_written_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
