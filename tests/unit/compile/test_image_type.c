// The tables of the engine's structures name every byte of them: what is forgotten would be 0 in a
// compiled robot.
#include "compile/image.h"
#include "robot/robot.h"
#include "unit/compile/compiled_pair.h"
#include "world/world.h"

/// Marks what the fields of a type cover.
static void mark(const gz_type *type, uint8_t *covered) {
    for (uint32_t i = 0; i < type->field_count; i++)
        for (uint32_t k = 0; k < type->fields[i].size; k++) {
            assert_int_equal(covered[type->fields[i].offset + k], 0);
            covered[type->fields[i].offset + k] = 1;
        }
}

/// What is left out on purpose: who owns a thing, the capacities of arrays that grew while they
/// were loaded, and whether memory ran out then.
static void mark_known(const gz_type *type, uint8_t *covered) {
#define KNOWN(s, f) memset(covered + offsetof(struct s, f), 1, sizeof((struct s *)0)->f)
    if (type == &gz_type_robot) {
        KNOWN(graze_robot, keeper);
        KNOWN(graze_robot, warnings.capacity);
        KNOWN(graze_robot, warnings.out_of_memory);
    } else if (type == &gz_type_world) {
        KNOWN(graze_world, keeper);
        KNOWN(graze_world, shared);
        KNOWN(graze_world, delta);
        KNOWN(graze_world, last_id); // objects are numbered anew
        KNOWN(graze_world, object_capacity);
        KNOWN(graze_world, warnings.capacity);
        KNOWN(graze_world, warnings.out_of_memory);
    } else if (type == &gz_type_link) {
        KNOWN(gz_link, user); // the caller's
    } else if (type == &gz_type_mesh) {
        KNOWN(graze_mesh, keeper);
        KNOWN(graze_mesh, shared);
    } else if (strcmp(type->name, "gz_object") == 0) {
        memset(covered + offsetof(gz_object, id), 1, sizeof(uint64_t) + sizeof(void *)); // and user
        memset(covered + offsetof(gz_object, source), 1,
               sizeof(gz_object) - offsetof(gz_object, source));
    }
#undef KNOWN
}

/// Bytes that no field names must be too few for anything but padding.
static void assert_all_covered(const gz_type *type) {
    uint8_t covered[8192] = {0};
    assert_true(type->size <= sizeof covered);
    mark(type, covered);
    mark_known(type, covered);
    size_t gap = 0;
    for (uint32_t i = 0; i <= type->size; i++) {
        if (i < type->size && !covered[i]) {
            gap++;
            continue;
        }
        // Padding ends at a multiple of 4 or 8 and is shorter than that.
        if (gap > 7 || (gap > 3 && i % 8 != 0) || (gap > 0 && i % 4 != 0))
            fail_msg("%s: bytes %zu to %u are in no field", type->name, i - gap, i - 1);
        gap = 0;
    }
    for (uint32_t i = 0; i < type->field_count; i++)
        if (type->fields[i].type) assert_all_covered(type->fields[i].type);
}

static void test_every_byte_of_every_structure_is_named(void **state) {
    (void)state;
    assert_all_covered(&gz_type_robot);
    assert_all_covered(&gz_type_world);
    assert_all_covered(&gz_type_source_list);
}

/// Compares a structure with another that was made from its image: all that is named.
static void compare(const gz_type *type, const void *a, const void *b) {
    for (uint32_t i = 0; i < type->field_count; i++) {
        const gz_field *f = &type->fields[i];
        const char *x = (const char *)a + f->offset, *y = (const char *)b + f->offset;
        if (f->kind < GZ_FIELD_TEXT) {
            assert_memory_equal(x, y, f->size);
            continue;
        }
        void *p, *q;
        memcpy(&p, x, sizeof p);
        memcpy(&q, y, sizeof q);
        size_t count = f->kind >= GZ_FIELD_STRUCTS ? gz_field_count(f, a) : p != NULL;
        if (f->kind < GZ_FIELD_STRUCTS) assert_int_equal(p != NULL, q != NULL);
        if (f->kind == GZ_FIELD_ARRAY && count) assert_memory_equal(p, q, count * f->unit);
        if (f->kind < GZ_FIELD_MAYBE && p) assert_string_equal(p, q);
        for (size_t k = 0; f->type && k < count; k++)
            compare(f->type, (char *)p + k * f->type->size, (char *)q + k * f->type->size);
    }
}

static void test_structures_come_back(void **state) {
    (void)state;
    graze_robot *robot = ship_robot("heron"), *other_robot;
    graze_world *world = ship_world("kitchen"), *other_world;
    file_bytes b = compile(robot, world);
    graze_compiled *compiled = open_bytes(b);
    assert_int_equal(graze_compiled_robot(&other_robot, compiled, NULL), GRAZE_OK);
    assert_int_equal(graze_compiled_world(&other_world, compiled, NULL), GRAZE_OK);
    compare(&gz_type_robot, robot, other_robot);
    compare(&gz_type_world, world, other_world);
    graze_compiled_close(compiled);
    graze_compiled_free(b.at);
    graze_robot_free(robot);
    graze_robot_free(other_robot);
    graze_world_free(world);
    graze_world_free(other_world);
}

static void test_the_fingerprint_does_not_change_within_a_build(void **state) {
    (void)state;
    assert_true(gz_type_fingerprint() == gz_type_fingerprint());
    assert_true(gz_type_fingerprint() != 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_byte_of_every_structure_is_named),
        cmocka_unit_test(test_structures_come_back),
        cmocka_unit_test(test_the_fingerprint_does_not_change_within_a_build),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
