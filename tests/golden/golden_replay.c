#include "base/memory.h"
#include "golden_scenes.h"
#include "world/world.h"

static void must(graze_status status, const graze_error *error) {
    if (status != GRAZE_OK)
        golden_give_up(graze_status_name(status), error ? error->message : "not replayed");
}

static int next(golden_stream *stream) {
    int tag = fgetc(stream->file);
    if (tag == EOF) golden_give_up("recording", "ends too early");
    return tag;
}

static void replay_geometry(golden_stream *stream, gz_builder *builder) {
    gz_geometry_input geometry;
    graze_error error;
    golden_geometry(stream, &geometry);
    must(gz_builder_add_geometry(builder, &geometry, &error), &error);
}

static void replay_joint(golden_stream *stream, gz_builder *builder) {
    gz_joint_input joint;
    graze_error error;
    golden_joint(stream, &joint);
    must(gz_builder_add_joint(builder, &joint, &error), &error);
}

static void replay_link(golden_stream *stream, gz_builder *builder) {
    const char *name;
    int32_t link;
    graze_error error;
    golden_string(stream, &name);
    must(gz_builder_add_link(builder, name, (gz_line){0}, &link, &error), &error);
}

/// What the SRDF says: one or two indices, then by the tag.
static void replay_rule(golden_stream *stream, gz_builder *builder, int tag) {
    int32_t a, b = -1;
    golden_int32(stream, &a);
    if (tag == GOLDEN_PASSIVE) {
        must(gz_builder_passive_joint(builder, a), NULL);
        return;
    }
    if (tag == GOLDEN_DISABLE_DEFAULT) {
        must(gz_builder_disable_default(builder, a), NULL);
        return;
    }
    golden_int32(stream, &b);
    if (tag == GOLDEN_ENABLE_PAIR) {
        must(gz_builder_enable_pair(builder, a, b), NULL);
    } else if (tag == GOLDEN_PAIR_MARGIN) {
        double margin;
        golden_doubles(stream, &margin, 1);
        must(gz_builder_pair_margin(builder, a, b, margin, (gz_place){0}), NULL);
    } else {
        const char *reason;
        golden_string(stream, &reason);
        must(gz_builder_disable_pair(builder, a, b, reason), NULL);
    }
}

static graze_robot *replay_robot(golden_stream *stream) {
    const char *name;
    golden_string(stream, &name);
    gz_builder *builder = gz_builder_create(name, "recording");
    if (!builder) golden_give_up("memory", "none left");
    for (int tag; (tag = next(stream)) != GOLDEN_ROBOT_END;) switch (tag) {
        case GOLDEN_LINK:
            replay_link(stream, builder);
            break;
        case GOLDEN_JOINT:
            replay_joint(stream, builder);
            break;
        case GOLDEN_GEOMETRY:
            replay_geometry(stream, builder);
            break;
        case GOLDEN_DISABLE_PAIR:
        case GOLDEN_ENABLE_PAIR:
        case GOLDEN_DISABLE_DEFAULT:
        case GOLDEN_PASSIVE:
        case GOLDEN_PAIR_MARGIN:
            replay_rule(stream, builder, tag);
            break;
        default:
            golden_give_up("recording", "not a record of a robot");
        }
    graze_robot *robot;
    graze_error error;
    must(gz_builder_finish(builder, &robot, &error), &error);
    return robot;
}

static void replay_object(golden_stream *stream, graze_world *world, int tag) {
    const char *name;
    graze_transform pose;
    graze_error error;
    golden_string(stream, &name);
    golden_doubles(stream, pose.m, 12);
    if (tag == GOLDEN_SOUP) {
        gz_soup *soup = NULL;
        golden_soup(stream, &soup);
        must(gz_world_add_soup(world, name, soup, &pose, NULL, &error), &error);
    } else if (tag == GOLDEN_POINTS) {
        double radius;
        size_t count = 0;
        golden_doubles(stream, &radius, 1);
        golden_size(stream, &count);
        double *points = gz_malloc(count, 3 * sizeof(double));
        if (!points) golden_give_up("memory", "none left");
        golden_doubles(stream, points, 3 * count);
        must(gz_world_add_points(world, name, points, count, radius, &pose, NULL, &error), &error);
    } else {
        int32_t shape = 0;
        double size[3], radius, length;
        golden_int32(stream, &shape);
        golden_doubles(stream, size, 3);
        golden_doubles(stream, &radius, 1);
        golden_doubles(stream, &length, 1);
        must(gz_world_add_primitive(world, name, (graze_shape)shape, size, radius, length, &pose,
                                    NULL, &error),
             &error);
    }
}

static graze_world *replay_world(golden_stream *stream) {
    const char *name;
    graze_world *world;
    graze_error error;
    golden_string(stream, &name);
    must(graze_world_create(&world, name, &error), &error);
    for (int tag; (tag = next(stream)) != GOLDEN_WORLD_END;) switch (tag) {
        case GOLDEN_PRIMITIVE:
        case GOLDEN_SOUP:
        case GOLDEN_POINTS:
            replay_object(stream, world, tag);
            break;
        case GOLDEN_BOUNDARY: {
            double box[6];
            golden_doubles(stream, box, 6);
            must(graze_world_set_boundary(world, box, box + 3, &error), &error);
            break;
        }
        default:
            golden_give_up("recording", "not a record of a world");
        }
    must(graze_world_commit(world, &error), &error);
    return world;
}

void golden_scenes_replay(golden_scenes *scenes, golden_stream *recording) {
    *scenes = (golden_scenes){.world_count = 1};
    for (int tag; (tag = next(recording)) != GOLDEN_END;) {
        if (tag == GOLDEN_ROBOT && scenes->robot_count < GOLDEN_ROBOT_LIMIT)
            scenes->robots[scenes->robot_count++] = replay_robot(recording);
        else if (tag == GOLDEN_WORLD && scenes->world_count < GOLDEN_WORLD_LIMIT)
            scenes->worlds[scenes->world_count++] = replay_world(recording);
        else
            golden_give_up("recording", "neither a robot nor a world");
    }
}

void golden_scenes_free(golden_scenes *scenes) {
    for (size_t i = 0; i < scenes->robot_count; i++) graze_robot_free(scenes->robots[i]);
    for (size_t i = 0; i < scenes->world_count; i++) graze_world_free(scenes->worlds[i]);
}
