/// SRDF from bytes through the review against a matrix, and through the writer that puts the matrix
/// in the place of its rules. Findings stand in order and are about what the robot has; what is
/// written is SRDF without wrong rules, and written once more it is the same, byte for byte.
#include <string.h>

#include "fuzz/fuzz.h"
#include "graze/matrix.h"

#define BOX(x, size)                                                                               \
    "<collision><origin xyz='" x " 0 0'/><geometry><box size='" size "'/></geometry></collision>"
#define LINK(name, shape) "<link name='" name "'>" shape "</link>"
#define JOINT(name, type, parent, child, x, limit)                                                 \
    "<joint name='" name "' type='" type "'><parent link='" parent "'/><child link='" child        \
    "'/><origin xyz='" x " 0 0'/><axis xyz='0 0 1'/>" limit "</joint>"
#define LIMIT "<limit lower='-3' upper='3' effort='1' velocity='1'/>"

// Neighbours, a pair that collides for some angles, one that always does, one that never does, one
// of a joint without bounds, and a link without geometry.
static const char robot_text[] = "<robot name='r'>" LINK("a", BOX("0", "0.2 0.2 0.2"))
    LINK("b", BOX("0.3", "0.2 0.1 0.1")) LINK("c", BOX("0.3", "0.4 0.1 0.1"))
        LINK("far", BOX("50", "0.1 0.1 0.1")) LINK("on_a", BOX("0", "0.1 0.1 0.1"))
            LINK("empty", "") LINK("slide", BOX("0", "0.1 0.1 0.1"))
                JOINT("j", "revolute", "a", "b", "0", LIMIT)
                    JOINT("k", "revolute", "b", "c", "0.5", LIMIT)
                        JOINT("m", "continuous", "a", "far", "0", "")
                            JOINT("n", "fixed", "a", "empty", "0", "")
                                JOINT("o", "revolute", "empty", "on_a", "0", LIMIT)
                                    JOINT("p", "floating", "c", "slide", "0", "") "</robot>";

/// Computed at the first input, kept to the end.
static const graze_matrix *matrix(void) {
    static graze_robot *robot;
    static graze_matrix *computed;
    if (computed) return computed;
    graze_matrix_options options = graze_matrix_options_default();
    options.samples = 200;
    options.search = 20;
    options.budget = 2000;
    FUZZ_CHECK(!graze_robot_load_urdf_memory(&robot, robot_text, sizeof robot_text - 1,
                                             "robot.urdf", NULL, NULL, NULL));
    FUZZ_CHECK(!graze_matrix_compute(&computed, robot, &options, NULL));
    return computed;
}

static bool has_link(const char *name) {
    return graze_robot_find_link(graze_matrix_robot(matrix()), name) >= 0;
}

static bool is_entry(const graze_matrix_entry *entry) {
    bool found = false;
    for (size_t i = 0; i < graze_matrix_count(matrix()); i++)
        found = found || graze_matrix_at(matrix(), i) == entry;
    return found;
}

static void check_finding(const graze_matrix_finding *f, const graze_matrix_finding *before) {
    FUZZ_CHECK(f->message[0] != '\0' && f->reason && f->link1 && f->link2);
    FUZZ_CHECK(strcmp(graze_matrix_fault_name(f->fault), "unknown") != 0);
    FUZZ_CHECK((f->line == 0) == (f->fault == GRAZE_MATRIX_MISSING));
    FUZZ_CHECK(!f->entry || is_entry(f->entry));
    for (int k = 0; k < 2; k++) FUZZ_CHECK(!f->nearest[k] || has_link(f->nearest[k]));
    // A disable_default_collisions names one link.
    bool known = has_link(f->link1) && (has_link(f->link2) || f->link2[0] == '\0');
    FUZZ_CHECK(known || f->fault == GRAZE_MATRIX_UNKNOWN_LINK);
    if (f->fault == GRAZE_MATRIX_HIDES_CONTACT) FUZZ_CHECK(f->is_error && f->entry->witness);
    if (before && f->line > 0)
        FUZZ_CHECK(before->line < f->line ||
                   (before->line == f->line && before->column <= f->column));
}

/// Reviews a text; returns the status, and how many findings are errors: but for unknown links,
/// which an enable_collisions may name that the writer keeps.
static graze_status review(const char *text, size_t size, size_t *errors) {
    graze_matrix_review *out;
    graze_error error;
    graze_limits limits = fuzz_options().limits;
    graze_status status = graze_matrix_review_srdf(&out, matrix(), text, size, "fuzz.srdf", &limits,
                                                   &error);
    *errors = 0;
    if (status) {
        FUZZ_CHECK(!out);
        fuzz_exercise_error(status, &error);
        return status;
    }
    const graze_matrix_finding *before = NULL;
    for (size_t i = 0; i < graze_matrix_review_count(out); i++) {
        const graze_matrix_finding *f = graze_matrix_review_at(out, i);
        check_finding(f, before);
        *errors += f->is_error && f->fault != GRAZE_MATRIX_UNKNOWN_LINK;
        before = f;
    }
    FUZZ_CHECK(!graze_matrix_review_at(out, graze_matrix_review_count(out)));
    graze_matrix_review_free(out);
    return status;
}

static graze_status write(const char *text, size_t size, char **out, size_t *written) {
    graze_error error;
    graze_limits limits = fuzz_options().limits;
    graze_status status = graze_matrix_write_srdf(out, written, matrix(), text, size, "fuzz.srdf",
                                                  &limits, &error);
    if (status) fuzz_exercise_error(status, &error);
    return status;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    matrix();
    const char *text = (const char *)data;
    char *once = NULL, *twice = NULL;
    size_t errors, length, again;
    fuzz_guard_begin();
    graze_status reviewed = review(text, size, &errors);
    if (size > 0 && write(text, size, &once, &length) == GRAZE_OK) {
        FUZZ_CHECK(reviewed == GRAZE_OK);
        FUZZ_CHECK(strlen(once) == length);
        // More than the limits allow may have been written; less is SRDF.
        graze_status status = review(once, length, &errors);
        FUZZ_CHECK(status == GRAZE_OK || status == GRAZE_ERROR_LIMIT);
        FUZZ_CHECK(errors == 0);
        if (status == GRAZE_OK) {
            FUZZ_CHECK(write(once, length, &twice, &again) == GRAZE_OK);
            FUZZ_CHECK(again == length && memcmp(once, twice, length) == 0);
        }
    }
    graze_matrix_text_free(once);
    graze_matrix_text_free(twice);
    fuzz_guard_end();
    return 0;
}
