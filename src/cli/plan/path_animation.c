#include "cli/plan/path_animation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/input/configuration.h"
#include "cli/message.h"
#include "cli/output.h"
#include "picture/raster.h"

enum {
    FRAMED = 6, ///< poses by which the place of the camera is chosen
    WIDTH = 640,
    HEIGHT = 480,
    SAMPLES = 2,
    DELAY_MS = 120,
    LAST_DELAY_MS = 1500
};

// -------------------------------------------------------------------------------- chunks of a PNG

static void put_u32(uint8_t *at, uint32_t value) {
    for (int k = 0; k < 4; k++) at[k] = (uint8_t)(value >> (24 - 8 * k));
}

static uint32_t read_u32(const uint8_t *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/// A chunk whose data is that of two pieces; the first may be empty.
static void write_chunk(FILE *stream, const char type[4], const uint8_t *a, size_t a_size,
                        const uint8_t *b, size_t b_size) {
    uint8_t number[4];
    put_u32(number, (uint32_t)(a_size + b_size));
    fwrite(number, 1, 4, stream);
    fwrite(type, 1, 4, stream);
    uLong sum = crc32(0, (const Bytef *)type, 4);
    if (a_size) sum = crc32(sum, a, (uInt)a_size);
    if (b_size) sum = crc32(sum, b, (uInt)b_size);
    if (a_size) fwrite(a, 1, a_size, stream);
    if (b_size) fwrite(b, 1, b_size, stream);
    put_u32(number, (uint32_t)sum);
    fwrite(number, 1, 4, stream);
}

/// The animation as it is written.
typedef struct animation {
    FILE *stream;
    uint32_t frames, frame, sequence;
} animation;

static void write_frame_control(animation *a) {
    uint8_t data[26] = {0};
    put_u32(data, a->sequence++);
    put_u32(data + 4, WIDTH);
    put_u32(data + 8, HEIGHT);
    uint32_t delay = a->frame + 1 < a->frames ? DELAY_MS
                                              : LAST_DELAY_MS; // in thousandths of a second
    data[20] = (uint8_t)(delay >> 8);
    data[21] = (uint8_t)delay;
    data[22] = 1000 >> 8;
    data[23] = 1000 & 255;
    write_chunk(a->stream, "fcTL", data, sizeof data, NULL, 0);
}

/// Takes the header and the image data out of a picture's own PNG: the first frame is the image of
/// the file, the data of others stands in fdAT chunks.
static void write_frame(animation *a, const uint8_t *png, size_t size) {
    enum { SIGNATURE = 8, AROUND = 12 };
    if (a->frame == 0) fwrite(png, 1, SIGNATURE, a->stream);
    for (size_t at = SIGNATURE; at + AROUND <= size; at += read_u32(png + at) + AROUND) {
        const uint8_t *data = png + at + 8;
        size_t count = read_u32(png + at);
        if (memcmp(png + at + 4, "IHDR", 4) == 0) {
            uint8_t control[8] = {0}; // frames; 0 plays: without end
            put_u32(control, a->frames);
            if (a->frame == 0) write_chunk(a->stream, "IHDR", data, count, NULL, 0);
            if (a->frame == 0) write_chunk(a->stream, "acTL", control, sizeof control, NULL, 0);
            write_frame_control(a);
        } else if (memcmp(png + at + 4, "IDAT", 4) == 0 && a->frame == 0) {
            write_chunk(a->stream, "IDAT", data, count, NULL, 0);
        } else if (memcmp(png + at + 4, "IDAT", 4) == 0) {
            uint8_t sequence[4];
            put_u32(sequence, a->sequence++);
            write_chunk(a->stream, "fdAT", sequence, sizeof sequence, data, count);
        }
    }
    if (++a->frame == a->frames) write_chunk(a->stream, "IEND", NULL, 0, NULL, 0);
}

// ---------------------------------------------------------------------------------------- frames

/// How far it is from one waypoint to the next: joints by the robot's metric, the base besides.
static double edge_length(const graze_robot *robot, const graze_path *path, size_t edge) {
    const double *a = graze_path_base(path, edge), *b = graze_path_base(path, edge + 1);
    double length = 0, moved = 0;
    graze_robot_metric(robot, graze_path_q(path, edge), graze_path_q(path, edge + 1),
                       graze_robot_q_size(robot), GRAZE_TURN_SHORTER, &length, NULL);
    for (int k = 0; k < GZ_BASE_SIZE; k++)
        moved = hypot(moved, k < 3 ? b[k] - a[k] : remainder(b[k] - a[k], 2 * acos(-1)));
    return hypot(length, moved);
}

/// Finds the link poses of all frames, at equal steps of the path's length.
static graze_status pose_frames(const graze_robot *robot, const graze_path *path, size_t frames,
                                double *q, graze_transform *links, graze_error *error) {
    size_t edges = graze_path_count(path) - 1, edge = 0, size = graze_robot_q_size(robot);
    double total = 0, before = 0;
    for (size_t i = 0; i < edges; i++) total += edge_length(robot, path, i);
    for (size_t k = 0; k < frames; k++) {
        double at = total * (double)k / (double)(frames - 1), base[GZ_BASE_SIZE];
        double length = edge_length(robot, path, edge);
        while (edge + 1 < edges && before + length < at) {
            before += length;
            length = edge_length(robot, path, ++edge);
        }
        double t = length > 0 ? fmin((at - before) / length, 1) : 1;
        if (k + 1 == frames) edge = edges - 1, t = 1;
        graze_status status = graze_path_interpolate(path, edge, t, q, base);
        if (status != GRAZE_OK) return gz_fail(error, status, "the path cannot be read");
        GZ_TRY(graze_robot_pose(robot, q, size, base, links + k * graze_robot_link_count(robot),
                                error));
    }
    return GRAZE_OK;
}

/// Adds a frame to an animation.
static bool add_frame(void *user, const uint8_t *rgb) {
    const gz_pixels pixels = {(uint8_t *)rgb, WIDTH, HEIGHT};
    char *png = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&png, &size);
    bool good = memory != NULL && gz_pixels_write_png(&pixels, memory);
    good = memory != NULL && fclose(memory) == 0 && good;
    if (good) write_frame(user, (const uint8_t *)png, size);
    free(png);
    return good;
}

/// Some of the poses together: what the way takes up.
static gz_picture framing_of(const gz_picture *picture, size_t frames, graze_transform *some) {
    size_t link_count = graze_robot_link_count(picture->robot);
    gz_picture framing = *picture;
    framing.links = some;
    framing.pose_count = FRAMED;
    for (size_t i = 0; i < FRAMED; i++)
        memcpy(some + i * link_count, picture->links + i * (frames - 1) / (FRAMED - 1) * link_count,
               link_count * sizeof *some);
    return framing;
}

static int write_file(const char *file, const gz_picture *picture, uint32_t frames,
                      graze_transform *some, uint8_t *rgb) {
    gz_output output;
    graze_error error;
    const gz_picture framing = framing_of(picture, frames, some);
    GZ_TRY_EXIT(gz_output_open(&output, file));
    animation written = {.stream = output.stream, .frames = frames};
    graze_status drawn = gz_picture_draw_frames(&framing, picture->links, frames, add_frame,
                                                &written, rgb, &error);
    if (drawn == GRAZE_OK) return gz_output_finish(&output);
    gz_output_abandon(&output);
    return gz_message_error("plan", &error);
}

int gz_path_animation_write(const char *file, const graze_checker *checker, const gz_view *view,
                            const graze_path *path, uint32_t frames) {
    const graze_robot *robot = graze_checker_robot(checker);
    size_t link_count = graze_robot_link_count(robot);
    graze_transform *links = gz_malloc((frames + FRAMED) * link_count, sizeof *links);
    double *q = gz_malloc(graze_robot_q_size(robot) + 1, sizeof *q);
    uint8_t *rgb = gz_malloc(3 * (size_t)WIDTH, HEIGHT);
    gz_picture picture = gz_picture_default();
    picture.robot = robot;
    picture.world = graze_checker_world(checker);
    picture.links = links;
    picture.visuals = true;
    picture.ends = true;
    picture.width = WIDTH;
    picture.height = HEIGHT;
    picture.samples = SAMPLES;
    picture.view = *view;
    graze_error error;
    graze_status posed = links && q && rgb ? pose_frames(robot, path, frames, q, links, &error)
                                           : gz_fail_memory(&error);
    int status = gz_message_outcome("plan", posed, &error);
    if (status == GZ_EXIT_FINE)
        status = write_file(file, &picture, frames, links + frames * link_count, rgb);
    gz_free(links);
    gz_free(q);
    gz_free(rgb);
    return status;
}
