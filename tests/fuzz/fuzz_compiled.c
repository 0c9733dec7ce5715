/// A compiled file, forged: bytes, indices, counts and numbers changed wherever the input says, and
/// sealed with a true checksum. The input is the list of changes, as the file itself is another for
/// every change of a structure.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "unit/compile/compiled_exercise.h"

static const char urdf[] =
    "<robot name='r'><link name='base'><collision><geometry><mesh filename='cube.stl'/></geometry>"
    "</collision></link><link name='arm'><collision><geometry><mesh filename='wedge.obj'/>"
    "</geometry></collision><collision><geometry><cylinder radius='.05' length='.3'/></geometry>"
    "</collision></link><link name='hand'><collision><geometry><box size='.1 .1 .1'/></geometry>"
    "</collision></link><link name='fly'/>"
    "<joint name='j1' type='revolute'><parent link='base'/><child link='arm'/><origin xyz='0 0 .3'/>"
    "<axis xyz='0 1 0'/><limit lower='-1.5' upper='1.5' effort='1' velocity='1'/></joint>"
    "<joint name='j2' type='prismatic'><parent link='arm'/><child link='hand'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='1' effort='1' velocity='1'/><mimic joint='j1' multiplier='2'/></joint>"
    "<joint name='j3' type='floating'><parent link='base'/><child link='fly'/></joint></robot>";

/// The robot with something in its hand.
static graze_robot *make_robot(void) {
    graze_load_options options = fuzz_options();
    graze_robot *robot, *carrying;
    graze_error error;
    FUZZ_CHECK(!graze_robot_load_urdf_memory(&robot, urdf, sizeof urdf - 1, "fuzz", fuzz_scratch(),
                                             &options, &error));
    const graze_geometry box = {.shape = GRAZE_SHAPE_BOX, .size = {.1, .2, .1}};
    const graze_attachment attachment = {.struct_size = sizeof(graze_attachment),
                                         .name = "tool",
                                         .link = "hand",
                                         .geometry = &box,
                                         .pose = graze_transform_identity()};
    FUZZ_CHECK(!graze_robot_attach(&carrying, robot, &attachment, &error));
    graze_robot_free(robot);
    return carrying;
}

/// The true file, made once.
static unsigned char *make_file(size_t *size) {
    // A closed box, which has a map of clearances.
    static const double corners[24] = {-3, -3, -1, 3, -3, -1, -3, 3, -1, 3, 3, -1,
                                       -3, -3, 3,  3, -3, 3,  -3, 3, 3,  3, 3, 3};
    static const uint32_t walls[36] = {0, 1, 2, 1, 3, 2, 4, 6, 5, 5, 6, 7, 0, 4, 1, 1, 4, 5,
                                       2, 3, 6, 3, 7, 6, 0, 2, 4, 2, 6, 4, 1, 5, 3, 3, 5, 7};
    graze_robot *robot = make_robot();
    graze_world *world;
    graze_error error;
    unsigned char *bytes;
    static const double points[] = {0, 0, 1, .1, 0, 1, 0, .1, 1, .5, .5, .5};
    static const double edges[] = {.2, .3, .4};
    FUZZ_CHECK(!graze_world_create(&world, "fuzz", &error));
    FUZZ_CHECK(!graze_world_add_points(world, "p", points, 4, .1, NULL, &error));
    FUZZ_CHECK(!graze_world_add_box(world, "b", edges, NULL, &error));
    FUZZ_CHECK(!graze_world_add_capsule(world, "c", .1, .2, NULL, &error));
    FUZZ_CHECK(!graze_world_add_mesh(world, "r", corners, 8, walls, 12, NULL, &error));
    FUZZ_CHECK(!graze_world_commit(world, &error));
    FUZZ_CHECK(!graze_compile(&bytes, size, robot, world, NULL, &error));
    graze_robot_free(robot);
    graze_world_free(world);
    return bytes;
}

static uint32_t wide(fuzz_bytes *in) {
    uint32_t low = fuzz_byte(in), middle = fuzz_byte(in);
    return low | middle << 8 | fuzz_byte(in) << 16;
}

/// One change somewhere in the file.
static void change(unsigned char *file, size_t size, fuzz_bytes *in) {
    static const uint64_t counts[] = {
        0,         1,          2,         7,          8,
        9,         127,        128,       255,        65535,
        INT32_MAX, UINT32_MAX, INT64_MAX, UINT64_MAX, 0x8000000000000000,
        64};
    static const double numbers[] = {0, -1, 1e300, -1e30, 1e-310, NAN, INFINITY, -INFINITY};
    size_t at = wide(in) % size;
    switch (fuzz_choice(in, 6)) {
    case 0:
        file[at] = (unsigned char)fuzz_byte(in);
        break;
    case 1: {
        int32_t index = (int32_t)fuzz_byte(in) - 128;
        memcpy(file + (at & ~(size_t)3), &index, sizeof index);
        break;
    }
    case 2: {
        uint64_t count = counts[fuzz_choice(in, sizeof counts / sizeof *counts)];
        memcpy(file + (at & ~(size_t)7), &count, sizeof count);
        break;
    }
    case 3: {
        double number = numbers[fuzz_choice(in, sizeof numbers / sizeof *numbers)];
        memcpy(file + (at & ~(size_t)7), &number, sizeof number);
        break;
    }
    case 4: {
        float number = (float)numbers[fuzz_choice(in, sizeof numbers / sizeof *numbers)];
        memcpy(file + (at & ~(size_t)3), &number, sizeof number);
        break;
    }
    default: { // a piece from elsewhere
        size_t from = wide(in) % size, length = 1 + fuzz_byte(in);
        if (from + length <= size && at + length <= size) memmove(file + at, file + from, length);
        break;
    }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static unsigned char *file; // reachable to the end: no leak
    static size_t file_size;
    if (!file) file = make_file(&file_size);
    unsigned char *forged = malloc(file_size);
    if (!forged) abort();
    memcpy(forged, file, file_size);
    fuzz_bytes in = {data, data + size};
    size_t length = file_size;
    if (fuzz_byte(&in) == 255) length = wide(&in) % file_size;
    for (int i = 0; i < 40 && in.at < in.end; i++) change(forged, file_size, &in);
    if (length < file_size && length >= sizeof(gz_file_header)) {
        gz_file_header header;
        memcpy(&header, forged, sizeof header);
        header.file_bytes = length;
        memcpy(forged, &header, sizeof header);
    }
    compiled_seal(forged, length);
    fuzz_guard_begin();
    exercise_compiled(forged, length);
    fuzz_guard_end();
    free(forged);
    return 0;
}
