/// A valid robot with its SRDF, changed where changes hurt: elements and attributes dropped,
/// doubled, swapped, moved into each other, numbers taken to extremes. The input is the list of
/// changes, so that what is read stays well-formed and gets deep.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

static const char urdf[] =
    "<robot name='r' version='1.2'><material name='red'><color rgba='1 0 0 1'/></material>"
    "<link name='base'><visual><origin xyz='0 0 0' rpy='0 0 .1'/><geometry><mesh "
    "filename='package://box/cube.stl' scale='1 1 1'/></geometry><material name='red'/></visual>"
    "<collision name='c'><origin xyz='0 0 .1' rpy='0 .2 0'/><geometry><box size='.4 .4 .2'/>"
    "</geometry></collision><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
    "iyz='0' izz='1'/></inertial></link>"
    "<link name='arm'><collision><geometry><mesh filename='cube.stl' scale='2 1 .5'/></geometry>"
    "</collision><collision><geometry><cylinder radius='.05' length='.3'/></geometry></collision>"
    "</link><link name='hand'><collision><geometry><capsule radius='.03' length='.1'/></geometry>"
    "</collision></link><link name='tool'><collision><geometry><sphere radius='.02'/></geometry>"
    "</collision></link><link name='cart'><collision><origin xyz='1 1 0' quat_xyzw='0 0 0 1'/>"
    "<geometry><mesh filename='wedge.obj'/></geometry></collision></link><link name='fly'/>"
    "<joint name='j1' type='revolute'><parent link='base'/><child link='arm'/><origin xyz='0 0 .3'/>"
    "<axis xyz='0 1 0'/><limit lower='-1.5' upper='1.5' effort='1' velocity='1'/>"
    "<safety_controller k_velocity='1'/><dynamics damping='1'/></joint>"
    "<joint name='j2' type='continuous'><parent link='arm'/><child link='hand'/><origin xyz='.2 0 0' "
    "rpy='0 0 1.57'/><axis xyz='1 0 0'/><mimic joint='j1' multiplier='2' offset='.1'/></joint>"
    "<joint name='j3' type='prismatic'><parent link='hand'/><child link='tool'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='.1' effort='1' velocity='1'/></joint>"
    "<joint name='j4' type='planar'><parent link='base'/><child link='cart'/><axis xyz='0 0 1'/>"
    "</joint><joint name='j5' type='floating'><parent link='cart'/><child link='fly'/></joint>"
    "</robot>";

static const char srdf[] =
    "<robot name='r'><group name='g'><joint name='j1'/><link name='hand'/></group><group "
    "name='chain'><chain base_link='base' tip_link='tool'/></group><group name='all'><group "
    "name='g'/><group name='chain'/></group><group_state name='home' group='g'><joint name='j1' "
    "value='.5'/></group_state><end_effector name='e' group='g' parent_link='hand'/><virtual_joint "
    "name='v' type='planar' parent_frame='world' child_link='base'/><passive_joint name='j3'/>"
    "<disable_collisions link1='base' link2='arm' reason='Adjacent'/><disable_default_collisions "
    "link='tool'/><enable_collisions link1='tool' link2='cart'/></robot>";

enum { TEXT_SIZE = 16384 };

/// A text under change. Always NUL-terminated.
typedef struct text {
    char bytes[TEXT_SIZE];
    size_t size;
} text;

typedef struct span {
    size_t from, to;
} span;

// ------------------------------------------------------------------------------------- the text

/// Puts `with` in place of a span, unless the text would grow too long.
static void replace(text *t, span s, const char *with, size_t size) {
    if (t->size - (s.to - s.from) + size >= TEXT_SIZE) return;
    memmove(t->bytes + s.from + size, t->bytes + s.to, t->size - s.to + 1);
    memcpy(t->bytes + s.from, with, size);
    t->size += size - (s.to - s.from);
}

/// The end of the element that begins at `from`: behind its own closing tag. Tags nest, since the
/// changes take and put whole elements.
static size_t element_end(const text *t, size_t from) {
    int depth = 0;
    for (size_t at = from; at < t->size;) {
        const char *open = strchr(t->bytes + at, '<');
        const char *close = open ? strchr(open, '>') : NULL;
        if (!close) return t->size;
        at = (size_t)(close - t->bytes) + 1;
        if (open[1] == '/')
            depth--;
        else if (close[-1] != '/')
            depth++;
        if (depth == 0) return at;
    }
    return t->size;
}

/// The n-th element, counted round; the root's span when there is no other.
static span element(const text *t, uint32_t n) {
    size_t starts[512], count = 0;
    for (const char *at = strchr(t->bytes + 1, '<'); at && count < 512; at = strchr(at + 1, '<'))
        if (at[1] != '/') starts[count++] = (size_t)(at - t->bytes);
    size_t from = count ? starts[n % count] : 0;
    return (span){from, element_end(t, from)};
}

/// The n-th attribute, from its name to its closing quote; empty when there is none.
static span attribute(const text *t, uint32_t n) {
    size_t ends[1024], count = 0;
    for (const char *at = strstr(t->bytes, "='"); at && count < 1024; at = strstr(at + 2, "='"))
        ends[count++] = (size_t)(at - t->bytes);
    if (!count) return (span){0, 0};
    size_t equals = ends[n % count], from = equals;
    while (from > 0 && t->bytes[from - 1] != ' ') from--;
    const char *quote = strchr(t->bytes + equals + 2, '\'');
    return (span){from, quote ? (size_t)(quote - t->bytes) + 1 : equals + 2};
}

static span value_of(const text *t, span attribute_span) {
    const char *equals = strstr(t->bytes + attribute_span.from, "='");
    if (!equals || attribute_span.to == 0) return (span){0, 0};
    return (span){(size_t)(equals - t->bytes) + 2, attribute_span.to - 1};
}

// ---------------------------------------------------------------------------------- the changes

static void drop_element(text *t, fuzz_bytes *bytes) {
    replace(t, element(t, fuzz_choice(bytes, 512)), "", 0);
}

static void copy_element(text *t, fuzz_bytes *bytes) {
    char copy[TEXT_SIZE];
    span from = element(t, fuzz_choice(bytes, 512)), to = element(t, fuzz_choice(bytes, 512));
    size_t size = from.to - from.from;
    memcpy(copy, t->bytes + from.from, size);
    replace(t, (span){to.from, to.from}, copy, size);
}

static void replace_element(text *t, fuzz_bytes *bytes) {
    char copy[TEXT_SIZE];
    span from = element(t, fuzz_choice(bytes, 512)), to = element(t, fuzz_choice(bytes, 512));
    size_t size = from.to - from.from;
    memcpy(copy, t->bytes + from.from, size);
    replace(t, to, copy, size);
}

static void drop_attribute(text *t, fuzz_bytes *bytes) {
    replace(t, attribute(t, fuzz_choice(bytes, 1024)), "", 0);
}

static void copy_attribute(text *t, fuzz_bytes *bytes) {
    char copy[TEXT_SIZE];
    span from = attribute(t, fuzz_choice(bytes, 1024)), to = attribute(t, fuzz_choice(bytes, 1024));
    size_t size = from.to - from.from;
    memcpy(copy, t->bytes + from.from, size);
    copy[size] = ' ';
    replace(t, (span){to.from, to.from}, copy, size + 1);
}

static void swap_values(text *t, fuzz_bytes *bytes) {
    char copy[TEXT_SIZE];
    span from = value_of(t, attribute(t, fuzz_choice(bytes, 1024)));
    span to = value_of(t, attribute(t, fuzz_choice(bytes, 1024)));
    size_t size = from.to - from.from;
    memcpy(copy, t->bytes + from.from, size);
    replace(t, to, copy, size);
}

static void set_number(text *t, fuzz_bytes *bytes) {
    static const char *const values[] = {"0",
                                         "-0",
                                         "1e308",
                                         "-1e308",
                                         "1e-320",
                                         "1048576",
                                         "1048577",
                                         "nan",
                                         "inf",
                                         "1e999",
                                         "-1",
                                         "0 0 0",
                                         "1 2 3 4",
                                         "1e-160 1e160 1",
                                         "1e9 0 0",
                                         "1,5",
                                         "",
                                         "0x10",
                                         "3.141592",
                                         "1e-9 0 0",
                                         "0 0 1e-200",
                                         "0 0 0 0",
                                         "1e6 1e6 1e6",
                                         "1 2 3 4 5 6 7",
                                         "1048576 0 0",
                                         "0.1 0.2 -0.3",
                                         "-1 1 1",
                                         "1e-300 1e-300 1e-300"};
    const char *value = values[fuzz_choice(bytes, sizeof values / sizeof *values)];
    replace(t, value_of(t, attribute(t, fuzz_choice(bytes, 1024))), value, strlen(value));
}

static void set_any_number(text *t, fuzz_bytes *bytes) {
    char value[40];
    span at = value_of(t, attribute(t, fuzz_choice(bytes, 1024)));
    snprintf(value, sizeof value, "%.17g", fuzz_number(bytes));
    replace(t, at, value, strlen(value));
}

/// One number of several, the others kept.
static void scale_number(text *t, fuzz_bytes *bytes) {
    static const char *const behind[] = {"e300", "e-300", "0", ".5", "e3", "e-9", "1", "e15"};
    span at = value_of(t, attribute(t, fuzz_choice(bytes, 1024)));
    uint32_t word = fuzz_choice(bytes, 4);
    while (word-- && at.from < at.to) {
        const char *blank = memchr(t->bytes + at.from, ' ', at.to - at.from);
        if (!blank) break;
        at.from = (size_t)(blank - t->bytes) + 1;
    }
    while (at.from < at.to && t->bytes[at.from] != ' ') at.from++;
    const char *tail = behind[fuzz_choice(bytes, sizeof behind / sizeof *behind)];
    replace(t, (span){at.from, at.from}, tail, strlen(tail));
}

static void set_word(text *t, fuzz_bytes *bytes) {
    static const char *const words[] = {
        "base",       "arm",       "hand",     "tool",      "j1",
        "j2",         "j5",        "revolute", "floating",  "planar",
        "fixed",      "r",         "cube.stl", "wedge.obj", "package://box/cube.stl",
        "../x",       "prismatic", "g",        "chain",     "all",
        "continuous", "1.0"};
    const char *value = words[fuzz_choice(bytes, sizeof words / sizeof *words)];
    replace(t, value_of(t, attribute(t, fuzz_choice(bytes, 1024))), value, strlen(value));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static void (*const changes[])(text *, fuzz_bytes *) = {
        drop_element, copy_element, replace_element, drop_attribute, copy_attribute,
        swap_values,  set_number,   set_any_number,  scale_number,   set_word};
    static text texts[2];
    static const char *const originals[] = {urdf, srdf};
    for (int i = 0; i < 2; i++) {
        texts[i].size = strlen(originals[i]);
        memcpy(texts[i].bytes, originals[i], texts[i].size + 1);
    }
    fuzz_bytes bytes = {data, data + size};
    for (int n = 0; n < 24 && bytes.at < bytes.end; n++) {
        text *t = &texts[fuzz_choice(&bytes, 4) == 3]; // the robot more often than its SRDF
        changes[fuzz_choice(&bytes, sizeof changes / sizeof *changes)](t, &bytes);
    }
    graze_load_options options = fuzz_options();
    options.visuals = GRAZE_VISUALS_LOAD;
    options.srdf = fuzz_file("mutated.srdf", (const uint8_t *)texts[1].bytes, texts[1].size);
    graze_robot *robot;
    graze_error error;
    fuzz_guard_begin();
    graze_status status = graze_robot_load_urdf_memory(
        &robot, texts[0].bytes, texts[0].size, "mutated.urdf", fuzz_scratch(), &options, &error);
    if (status)
        fuzz_exercise_error(status, &error);
    else
        fuzz_exercise_robot(robot);
    FUZZ_CHECK(size > 0 || status == GRAZE_OK); // unchanged, it is valid
    graze_robot_free(robot);
    fuzz_guard_end();
    return 0;
}
