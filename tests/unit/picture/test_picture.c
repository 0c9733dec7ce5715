// Pictures: what is red is red, what is framed is framed, and PNG and SVG hold the pixels.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <png.h>

#include "picture/drawing.h"
#include "picture/picture.h"
#include "picture/svg.h"

// A foot and, a joint above it, a ball: %g scales everything.
static const char *const totem =
    "<robot name='totem'><link name='foot'><collision><origin xyz='0 0 %g'/><geometry>"
    "<box size='%g %g %g'/></geometry></collision></link><link name='ball'><collision><geometry>"
    "<sphere radius='%g'/></geometry></collision></link><joint name='lift' type='prismatic'>"
    "<origin xyz='0 0 %g'/><parent link='foot'/><child link='ball'/><axis xyz='0 0 1'/>"
    "<limit lower='0' upper='1' effort='1' velocity='1'/></joint></robot>";

enum { WIDTH = 320, HEIGHT = 240 };

typedef struct fixture {
    graze_robot *robot;
    graze_world *world;
    graze_transform links[2];
    gz_picture picture;
    uint8_t *pixels;
} fixture;

static void begin(fixture *f, double scale) {
    char urdf[2048];
    graze_error error;
    memset(f, 0, sizeof *f);
    snprintf(urdf, sizeof urdf, totem, 0.25 * scale, 0.5 * scale, 0.5 * scale, 0.5 * scale,
             0.3 * scale, 0.9 * scale);
    if (graze_robot_load_urdf_memory(&f->robot, urdf, strlen(urdf), "totem", NULL, NULL, &error) !=
        GRAZE_OK)
        fail_msg("%s", error.message);
    double q = 0;
    assert_int_equal(graze_robot_pose(f->robot, &q, 1, NULL, f->links, NULL), GRAZE_OK);
    assert_int_equal(graze_world_create(&f->world, "stage", NULL), GRAZE_OK);
    f->picture = gz_picture_default();
    f->picture.robot = f->robot;
    f->picture.world = f->world;
    f->picture.links = f->links;
    f->picture.width = WIDTH;
    f->picture.height = HEIGHT;
    f->picture.samples = 2;
    f->pixels = malloc((size_t)WIDTH * HEIGHT * 3);
    assert_non_null(f->pixels);
}

static void end(fixture *f) {
    graze_world_free(f->world);
    graze_robot_free(f->robot);
    free(f->pixels);
}

static void add_box(fixture *f, const char *name, double sx, double sy, double sz, double x,
                    double y, double z) {
    double size[3] = {sx, sy, sz};
    graze_transform pose = graze_transform_identity();
    pose.m[3] = x;
    pose.m[7] = y;
    pose.m[11] = z;
    assert_int_equal(graze_world_add_box(f->world, name, size, &pose, NULL), GRAZE_OK);
}

static void draw(fixture *f) {
    graze_error error;
    assert_int_equal(graze_world_commit(f->world, NULL), GRAZE_OK);
    if (gz_picture_draw(&f->picture, f->pixels, &error) != GRAZE_OK) fail_msg("%s", error.message);
}

typedef bool (*color_test)(const uint8_t *p);

static bool is_red(const uint8_t *p) {
    return p[0] > 60 && p[1] * 3 < p[0] && p[2] * 3 < p[0];
}

static bool is_orange(const uint8_t *p) {
    return p[0] > 110 && p[1] * 10 > p[0] * 4 && p[1] * 10 < p[0] * 8 && p[2] * 3 < p[0];
}

static bool is_bright_yellow(const uint8_t *p) {
    return p[0] > 240 && p[1] > 220 && p[2] < 110;
}

/// How many pixels have a colour, and the frame around them: left, top, right, bottom.
static int count(const fixture *f, color_test test, int frame[4]) {
    int n = 0;
    frame[0] = WIDTH;
    frame[1] = HEIGHT;
    frame[2] = frame[3] = -1;
    for (int y = 0; y < HEIGHT; y++) {
        for (int x = 0; x < WIDTH; x++) {
            if (!test(f->pixels + ((size_t)y * WIDTH + (size_t)x) * 3)) continue;
            n++;
            if (x < frame[0]) frame[0] = x;
            if (y < frame[1]) frame[1] = y;
            if (x > frame[2]) frame[2] = x;
            if (y > frame[3]) frame[3] = y;
        }
    }
    return n;
}

static void test_colliding_links_are_red_and_what_they_touch_is_orange(void **context) {
    (void)context;
    fixture f;
    int frame[4];
    begin(&f, 1);
    add_box(&f, "shelf", 0.6, 0.6, 0.2, 0.4, 0, 0.9);
    draw(&f);
    assert_int_equal(count(&f, is_red, frame), 0);
    assert_int_equal(count(&f, is_orange, frame), 0);
    graze_contact contact = {.kind = GRAZE_CONTACT_WORLD, .link = 1, .other = 0};
    contact.point = (graze_vec3){0.2, 0, 0.9};
    f.picture.contacts = &contact;
    f.picture.contact_count = 1;
    draw(&f);
    assert_true(count(&f, is_red, frame) > 400);
    // The ball is the upper part of the robot: red stays in the upper two thirds.
    assert_true(frame[3] < HEIGHT * 2 / 3);
    assert_true(count(&f, is_orange, frame) > 400);
    // The mark of the contact is seen through everything.
    assert_true(count(&f, is_bright_yellow, frame) >= 4);
    end(&f);
}

static void test_two_links_that_touch_are_red_and_orange(void **context) {
    (void)context;
    fixture f;
    int red[4] = {0}, orange[4] = {0};
    begin(&f, 1);
    graze_contact contact = {.kind = GRAZE_CONTACT_SELF, .link = 0, .other = 1};
    contact.has_segment = true;
    contact.segment[0] = (graze_vec3){-0.2, 0, 0.5};
    contact.segment[1] = (graze_vec3){0.2, 0, 0.5};
    f.picture.contacts = &contact;
    f.picture.contact_count = 1;
    draw(&f);
    assert_true(count(&f, is_red, red) > 1000 && count(&f, is_orange, orange) > 1000);
    assert_true(red[3] > orange[3] && orange[1] < red[1]); // the foot is below the ball
    int line[4];
    assert_true(count(&f, is_bright_yellow, line) > 10);
    assert_true(line[2] - line[0] > 20);
    end(&f);
}

static void test_robots_of_any_size_fill_the_frame_and_stay_inside(void **context) {
    (void)context;
    static const double scales[] = {0.01, 1, 20};
    int first[4] = {0};
    for (int i = 0; i < 6; i++) {
        fixture f;
        int frame[4];
        begin(&f, scales[i / 2]);
        // A floor without end must not make the robot small.
        double s = scales[i / 2];
        if (i % 2) add_box(&f, "floor", 200 * s, 200 * s, s, 0, 0, -0.5 * s);
        graze_contact contacts[2] = {{.kind = GRAZE_CONTACT_BOUNDARY, .link = 0, .other = -1},
                                     {.kind = GRAZE_CONTACT_BOUNDARY, .link = 1, .other = -1}};
        f.picture.contacts = contacts;
        f.picture.contact_count = 2;
        draw(&f);
        assert_true(count(&f, is_red, frame) > 2000);
        assert_true(frame[0] > 2 && frame[1] > 2 && frame[2] < WIDTH - 3 && frame[3] < HEIGHT - 3);
        assert_true(frame[3] - frame[1] > HEIGHT * 0.7);
        if (i == 0) memcpy(first, frame, sizeof first);
        for (int k = 0; k < 4; k++) assert_true(abs(frame[k] - first[k]) <= 4);
        end(&f);
    }
}

static void test_the_same_input_gives_the_same_pixels(void **context) {
    (void)context;
    fixture f;
    begin(&f, 1);
    add_box(&f, "shelf", 0.6, 0.6, 0.2, 0.4, 0, 0.9);
    draw(&f);
    size_t size = (size_t)WIDTH * HEIGHT * 3;
    uint8_t *first = malloc(size);
    assert_non_null(first);
    memcpy(first, f.pixels, size);
    for (int i = 0; i < 2; i++) {
        memset(f.pixels, i, size);
        draw(&f);
        assert_memory_equal(first, f.pixels, size);
    }
    free(first);
    end(&f);
}

static void test_earlier_poses_are_seen_through(void **context) {
    (void)context;
    fixture f;
    begin(&f, 1);
    graze_transform poses[4];
    for (int i = 0; i < 2; i++) {
        double base[6] = {0, i * 1.5, 0, 0, 0, 0}, q = 0;
        assert_int_equal(graze_robot_pose(f.robot, &q, 1, base, poses + 2 * i, NULL), GRAZE_OK);
    }
    f.picture.links = poses;
    f.picture.pose_count = 2;
    graze_contact contact = {.kind = GRAZE_CONTACT_BOUNDARY, .link = 1, .other = -1};
    f.picture.contacts = &contact;
    f.picture.contact_count = 1;
    draw(&f);
    int frame[4];
    assert_true(count(&f, is_red, frame) > 200);
    assert_true(frame[2] - frame[0] < WIDTH / 2); // of the last pose only
    end(&f);
}

/// The corner normals of a mesh ball lean outwards everywhere; those of a mesh box stay with faces.
static void test_round_meshes_are_smooth_and_edges_stay_sharp(void **context) {
    (void)context;
    enum { AROUND = 32, UP = 16 };
    static double ball[(UP + 1) * AROUND * 3];
    static uint32_t faces[UP * AROUND * 6];
    for (int i = 0; i <= UP; i++) {
        for (int k = 0; k < AROUND; k++) {
            double *p = ball + (i * AROUND + k) * 3, a = 2 * M_PI * k / AROUND;
            double b = M_PI * (i + 0.5) / (UP + 1);
            p[0] = sin(b) * cos(a);
            p[1] = sin(b) * sin(a);
            p[2] = -cos(b);
        }
    }
    size_t n = 0;
    for (uint32_t i = 0; i < UP; i++) {
        for (uint32_t k = 0; k < AROUND; k++) {
            uint32_t a = i * AROUND + k, b = i * AROUND + (k + 1) % AROUND;
            uint32_t six[6] = {a, b, b + AROUND, a, b + AROUND, a + AROUND};
            memcpy(faces + n, six, sizeof six);
            n += 6;
        }
    }
    fixture f;
    begin(&f, 1);
    assert_int_equal(
        graze_world_add_mesh(f.world, "ball", ball, (UP + 1) * AROUND, faces, n / 3, NULL, NULL),
        GRAZE_OK);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    gz_drawing drawing;
    assert_true(gz_drawing_make(&drawing, &f.picture));
    size_t checked = 0;
    for (size_t i = 0; i < drawing.count; i++) {
        const gz_draw_triangle *t = &drawing.triangles[i];
        const gz_drawn_geometry *item = &drawing.items[t->item];
        for (int k = 0; k < 3; k++) {
            graze_vec3 p = t->corner[k], m = t->normal[k];
            double length = sqrt(m.x * m.x + m.y * m.y + m.z * m.z);
            assert_true(fabs(length - 1) < 1e-9);
            if (item->role == GZ_ROLE_WORLD && fabs(p.z) < 0.9) {
                assert_true(p.x * m.x + p.y * m.y + p.z * m.z > 0.99);
                checked++;
            }
            if (t->item == 0) { // the foot, a box
                double along = fmax(fabs(m.x), fmax(fabs(m.y), fabs(m.z)));
                assert_true(along > 1 - 1e-12);
            }
        }
    }
    assert_true(checked > 1000);
    gz_drawing_free(&drawing);
    end(&f);
}

/// Draws from a direction; the middles of what is red and orange, and how much is red.
static int draw_from(fixture *f, double azimuth, double elevation, double distance, int red[2],
                     int orange[2]) {
    int frame[4];
    f->picture.view = (gz_view){true, azimuth, elevation, distance, f->picture.view.link};
    draw(f);
    assert_true(count(f, is_orange, frame) > 50);
    orange[0] = (frame[0] + frame[2]) / 2;
    orange[1] = (frame[1] + frame[3]) / 2;
    int n = count(f, is_red, frame);
    assert_true(n > 50);
    red[0] = (frame[0] + frame[2]) / 2;
    red[1] = (frame[1] + frame[3]) / 2;
    return n;
}

static void test_a_view_is_taken_from_where_it_says(void **context) {
    (void)context;
    fixture f;
    int red[2], orange[2], frame[4];
    begin(&f, 1);
    // Beside the ball, where y is greater.
    add_box(&f, "block", 0.4, 0.4, 0.4, 0, 0.6, 0.9);
    graze_contact contact = {.kind = GRAZE_CONTACT_WORLD, .link = 1, .other = 0};
    f.picture.contacts = &contact;
    f.picture.contact_count = 1;
    draw_from(&f, 0, 0, 0, red, orange); // x comes to the eye: y is at the right
    assert_true(orange[0] > red[0] + 40 && abs(orange[1] - red[1]) < 12);
    draw_from(&f, 180, 0, 0, red, orange);
    assert_true(orange[0] < red[0] - 40 && abs(orange[1] - red[1]) < 12);
    draw_from(&f, -90, 90, 0, red, orange); // from above, y is up
    assert_true(orange[1] < red[1] - 40 && abs(orange[0] - red[0]) < 12);
    int near = draw_from(&f, 0, 0, 3, red, orange), far = draw_from(&f, 0, 0, 6, red, orange);
    assert_true(far * 3 < near && far * 5 > near);
    // The ball alone fills the height, or the width.
    f.picture.view = (gz_view){true, -90, 0, 0, 1};
    draw(&f);
    count(&f, is_red, frame);
    assert_true(frame[3] - frame[1] > HEIGHT * 7 / 10 && frame[0] > 0 && frame[2] < WIDTH - 1);
    end(&f);
}

static void test_a_png_holds_the_pixels(void **context) {
    (void)context;
    fixture f;
    begin(&f, 1);
    draw(&f);
    FILE *file = tmpfile();
    assert_non_null(file);
    const gz_pixels pixels = {f.pixels, WIDTH, HEIGHT};
    assert_true(gz_pixels_write_png(&pixels, file));
    rewind(file);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_stdio(&image, file));
    assert_int_equal(image.width, WIDTH);
    assert_int_equal(image.height, HEIGHT);
    image.format = PNG_FORMAT_RGB;
    size_t size = (size_t)WIDTH * HEIGHT * 3;
    uint8_t *read = malloc(size);
    assert_non_null(read);
    assert_true(png_image_finish_read(&image, NULL, read, 0, NULL));
    assert_memory_equal(read, f.pixels, size);
    free(read);
    fclose(file);
    end(&f);
}

/// An embedded picture is the PNG in base64, decoded here.
static void test_an_svg_embeds_the_pixels(void **context) {
    (void)context;
    uint8_t rgb[3 * 5 * 4];
    for (size_t i = 0; i < sizeof rgb; i++) rgb[i] = (uint8_t)(7 * i + 3);
    const gz_pixels pixels = {rgb, 5, 4};
    for (int width = 3; width <= 5; width++) { // PNGs of several lengths: all kinds of ends
        char *text = NULL, *png = NULL;
        size_t text_size, png_size;
        const gz_pixels item = {rgb, width, 4};
        FILE *stream = open_memstream(&text, &text_size);
        gz_svg page = gz_plot_page(stream, 100, 50);
        assert_true(gz_plot_image(&page, (gz_plot_box){10, 20, 30, 40}, &item));
        gz_svg_end(&page);
        fclose(stream);
        stream = open_memstream(&png, &png_size);
        assert_true(gz_pixels_write_png(&item, stream));
        fclose(stream);
        const char *at = strstr(text, "data:image/png;base64,");
        assert_non_null(at);
        at += strlen("data:image/png;base64,");
        for (size_t i = 0; i < png_size; i += 3, at += 4) {
            static const char digits[] =
                "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
            uint32_t word = 0;
            for (int k = 0; k < 4; k++) {
                const char *digit = strchr(digits, at[k]);
                assert_true(digit || at[k] == '=');
                word = word << 6 | (digit ? (uint32_t)(digit - digits) : 0);
                assert_true((at[k] == '=') == ((size_t)k > png_size - i));
            }
            for (size_t k = 0; k < 3 && i + k < png_size; k++)
                assert_int_equal(word >> (16 - 8 * k) & 255, (uint8_t)png[i + k]);
        }
        assert_int_equal(*at, '"');
        free(text);
        free(png);
    }
    // A stream that cannot be written.
    FILE *full = fopen("/dev/full", "w");
    if (!full) return;
    setvbuf(full, NULL, _IONBF, 0);
    assert_false(gz_pixels_write_png(&pixels, full));
    fclose(full);
}

/// A frame, kept.
static bool keep_frame(void *user, const uint8_t *pixels) {
    uint8_t **next = user;
    memcpy(*next, pixels, (size_t)WIDTH * HEIGHT * 3);
    *next += (size_t)WIDTH * HEIGHT * 3;
    return true;
}

static bool refuse_frame(void *user, const uint8_t *pixels) {
    (void)user, (void)pixels;
    return false;
}

static void test_frames_of_a_motion_are_taken_from_one_place(void **context) {
    (void)context;
    fixture f;
    graze_error error;
    begin(&f, 1);
    add_box(&f, "post", 0.2, 0.2, 1, 2, 0.5, 0.5);
    draw(&f);
    size_t size = (size_t)WIDTH * HEIGHT * 3;
    uint8_t *frames = malloc(2 * size), *at = frames, *pixels = malloc(size);
    graze_transform links[4] = {f.links[0], f.links[1], f.links[0], f.links[1]};
    links[2].m[3] += 0.5;
    links[3].m[3] += 0.5;
    // Framed by its own pose alone it is the picture.
    assert_int_equal(gz_picture_draw_frames(&f.picture, links, 1, keep_frame, &at, pixels, &error),
                     GRAZE_OK);
    assert_memory_equal(frames, f.pixels, size);
    // Framed by two poses both are taken from the same place: the sky above is the same.
    gz_picture both = f.picture;
    both.links = links;
    both.pose_count = 2;
    both.contact_count = 0;
    at = frames;
    assert_int_equal(gz_picture_draw_frames(&both, links, 2, keep_frame, &at, pixels, &error),
                     GRAZE_OK);
    assert_memory_equal(frames, frames + size, (size_t)WIDTH * 3);
    assert_memory_not_equal(frames, frames + size, size);
    assert_int_equal(gz_picture_draw_frames(&both, links, 2, refuse_frame, NULL, pixels, &error),
                     GRAZE_ERROR_NO_MEMORY);
    assert_int_equal(gz_picture_draw_frames(&both, NULL, 2, keep_frame, &at, pixels, &error),
                     GRAZE_ERROR_ARGUMENT);
    free(pixels);
    free(frames);
    end(&f);
}

static bool is_blue(const uint8_t *p) {
    return p[2] > p[0] + 40 && p[2] > p[1] + 20;
}

static bool is_green(const uint8_t *p) {
    return p[1] > p[0] + 25 && p[1] > p[2] + 15;
}

/// Where a way begins is blue in every frame, where it ends green; not where the robot stands then.
static void test_frames_of_a_way_mark_its_start_and_its_goal(void **context) {
    (void)context;
    enum { FRAMES = 3 };
    fixture f;
    graze_error error;
    begin(&f, 1);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    size_t size = (size_t)WIDTH * HEIGHT * 3;
    uint8_t *frames = malloc(FRAMES * size), *at = frames, *pixels = malloc(size);
    graze_transform links[2 * FRAMES];
    for (int i = 0; i < 2 * FRAMES; i++) {
        links[i] = f.links[i % 2];
        links[i].m[7] += 1.5 * (i / 2);
    }
    gz_picture way = f.picture;
    way.links = links;
    way.pose_count = FRAMES;
    way.ends = true;
    way.view = (gz_view){
        .given = true, .azimuth = 0, .elevation = 20, .link = -1}; // y to the right
    assert_int_equal(gz_picture_draw_frames(&way, links, FRAMES, keep_frame, &at, pixels, &error),
                     GRAZE_OK);
    uint8_t *own = f.pixels;
    for (int k = 0; k < FRAMES; k++) {
        int blue[4], green[4];
        f.pixels = frames + (size_t)k * size;
        int start = count(&f, is_blue, blue), goal = count(&f, is_green, green);
        assert_true(k == 0 ? start == 0 : start > 300 && blue[2] < WIDTH / 2);
        assert_true(k + 1 == FRAMES ? goal == 0 : goal > 300 && green[0] > WIDTH / 2);
    }
    // A single picture of a way: its start is blue, what is between is not, its end is solid.
    gz_picture whole = way;
    whole.ends = false;
    whole.start = true;
    f.pixels = frames;
    assert_int_equal(gz_picture_draw(&whole, frames, &error), GRAZE_OK);
    int first[4], last[4];
    assert_true(count(&f, is_blue, first) > 300 && first[2] < WIDTH / 2);
    assert_int_equal(count(&f, is_green, last), 0);
    // A link that does not move on the way is drawn once, as it is.
    for (int i = 0; i < 2 * FRAMES; i++) {
        links[i] = f.links[i % 2];
        if (i % 2 == 1) links[i].m[11] += 0.4 * (i / 2);
    }
    at = frames;
    assert_int_equal(gz_picture_draw_frames(&way, links, FRAMES, keep_frame, &at, pixels, &error),
                     GRAZE_OK);
    int ball[4];
    f.pixels = frames + (FRAMES - 1) * size;
    assert_true(count(&f, is_blue, ball) > 100);
    assert_true(ball[3] - ball[1] < HEIGHT / 4);
    f.pixels = own;
    free(pixels);
    free(frames);
    end(&f);
}

static void test_mistakes_of_the_caller_are_errors(void **context) {
    (void)context;
    fixture f;
    graze_error error;
    begin(&f, 1);
    assert_int_equal(graze_world_commit(f.world, NULL), GRAZE_OK);
    gz_picture p = f.picture;
    p.robot = NULL;
    assert_int_equal(gz_picture_draw(&p, f.pixels, &error), GRAZE_ERROR_ARGUMENT);
    p = f.picture;
    p.links = NULL;
    assert_int_equal(gz_picture_draw(&p, f.pixels, &error), GRAZE_ERROR_ARGUMENT);
    p = f.picture;
    p.contact_count = 1;
    assert_int_equal(gz_picture_draw(&p, f.pixels, &error), GRAZE_ERROR_ARGUMENT);
    p = f.picture;
    p.width = 15;
    assert_int_equal(gz_picture_draw(&p, f.pixels, &error), GRAZE_ERROR_RANGE);
    assert_non_null(strstr(error.message, "15 x 240; allowed: 16 to 16384"));
    p.width = 16385;
    assert_int_equal(gz_picture_draw(&p, f.pixels, &error), GRAZE_ERROR_RANGE);
    p = f.picture;
    p.samples = 5;
    assert_int_equal(gz_picture_draw(&p, f.pixels, NULL), GRAZE_ERROR_RANGE);
    assert_int_equal(gz_picture_draw(&f.picture, NULL, &error), GRAZE_ERROR_ARGUMENT);
    end(&f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_colliding_links_are_red_and_what_they_touch_is_orange),
        cmocka_unit_test(test_two_links_that_touch_are_red_and_orange),
        cmocka_unit_test(test_robots_of_any_size_fill_the_frame_and_stay_inside),
        cmocka_unit_test(test_the_same_input_gives_the_same_pixels),
        cmocka_unit_test(test_earlier_poses_are_seen_through),
        cmocka_unit_test(test_frames_of_a_motion_are_taken_from_one_place),
        cmocka_unit_test(test_round_meshes_are_smooth_and_edges_stay_sharp),
        cmocka_unit_test(test_a_view_is_taken_from_where_it_says),
        cmocka_unit_test(test_a_png_holds_the_pixels),
        cmocka_unit_test(test_an_svg_embeds_the_pixels),
        cmocka_unit_test(test_frames_of_a_way_mark_its_start_and_its_goal),
        cmocka_unit_test(test_mistakes_of_the_caller_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
