// The float filters where their bounds are attained: spheres, boxes and the box around all objects,
// touching at a number that a joint dials, down to the last ulp. On the touching side no filter
// says apart; a little farther out each does, so no bound is wider than it says either.
//
// All numbers are small integers or a few bits, so floats are exact and 0 is a true bound of the
// errors of poses: with the pads for these taken away, what is left of a bound is its own test.

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "check/filter_error.h"
#include "check/filters.h"
#include "unit/trials.h"

/// A shape in a scene: a ball or a box, at a place, along the dialled axis and the two after it.
typedef struct thing {
    double radius;  ///< 0: a box
    double half[3]; ///< of the box
    double at[3];
    double rpy[3]; ///< turns the box, along the axes as they are; links only
} thing;

typedef struct stand {
    int axis;            ///< that the joint slides along
    bool crowded;        ///< the world has more objects than the filters look at one by one
    double margin;       ///< of all pairs
    const thing *second; ///< another object, or NULL
    graze_robot *robot;
    graze_world *world;
    graze_checker *checker;
    graze_workspace *ws;
    gz_filter_model *model;
    gz_batch_block block;
} stand;

/// What the joint stands at where everything is far apart.
#define AWAY (-40)

static const double identity[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0};

static void turn(const stand *s, const double in[3], double out[3]) {
    for (int k = 0; k < 3; k++) out[(s->axis + k) % 3] = in[k];
}

static void write_thing(const stand *s, const thing *t, char *out, size_t size) {
    double at[3], half[3];
    char shape[160];
    turn(s, t->at, at);
    turn(s, t->half, half);
    if (t->radius > 0)
        snprintf(shape, sizeof shape, "<sphere radius='%.17g'/>", t->radius);
    else
        snprintf(shape, sizeof shape, "<box size='%.17g %.17g %.17g'/>", 2 * half[0], 2 * half[1],
                 2 * half[2]);
    snprintf(out, size,
             "<collision><origin xyz='%.17g %.17g %.17g' rpy='%.17g %.17g %.17g'/>"
             "<geometry>%s</geometry></collision>",
             at[0], at[1], at[2], t->rpy[0], t->rpy[1], t->rpy[2], shape);
}

/// A post, a spacer far from everything, and a slider: the spacer keeps the other two from being
/// neighbours, whose pairs are not checked.
static void load_robot(stand *s, const thing *post, const thing *slider) {
    static const thing far = {.radius = 0.5, .at = {0, 0, -200}};
    char text[2000], shapes[3][400], axis[16];
    write_thing(s, post, shapes[0], sizeof shapes[0]);
    write_thing(s, &far, shapes[1], sizeof shapes[1]);
    write_thing(s, slider, shapes[2], sizeof shapes[2]);
    snprintf(axis, sizeof axis, "%d %d %d", s->axis == 0, s->axis == 1, s->axis == 2);
    int size = snprintf(text, sizeof text,
                        "<robot name='r'><link name='post'>%s</link><link name='spacer'>%s</link>"
                        "<link name='slider'>%s</link><joint name='f' type='fixed'>"
                        "<parent link='post'/><child link='spacer'/></joint>"
                        "<joint name='j' type='prismatic'><parent link='spacer'/>"
                        "<child link='slider'/><axis xyz='%s'/>"
                        "<limit lower='-200' upper='200' effort='1' velocity='1'/></joint></robot>",
                        shapes[0], shapes[1], shapes[2], axis);
    graze_error error;
    if (graze_robot_load_urdf_memory(&s->robot, text, (size_t)size, "r", NULL, NULL, &error))
        fail_msg("%s", error.message);
}

static void add_object(stand *s, const thing *t, const char *name) {
    double at[3], size[3];
    turn(s, t->at, at);
    turn(s, t->half, size);
    graze_transform pose = graze_transform_identity();
    for (int k = 0; k < 3; k++) {
        pose.m[4 * k + 3] = at[k];
        size[k] *= 2;
    }
    assert_int_equal(t->radius > 0 ? graze_world_add_sphere(s->world, name, t->radius, &pose, NULL)
                                   : graze_world_add_box(s->world, name, size, &pose, NULL),
                     GRAZE_OK);
}

/// Small boxes in a row, far from everything but near enough that the tree around the robot has
/// them.
static void add_crowd(stand *s) {
    for (int i = 0; i < GZ_FILTER_OBJECTS; i++) {
        char name[16];
        snprintf(name, sizeof name, "o%d", i);
        const double at[3] = {i, 100, 100}, size[3] = {0.5, 0.5, 0.5};
        graze_transform pose = graze_transform_identity();
        for (int k = 0; k < 3; k++) pose.m[4 * ((s->axis + k) % 3) + 3] = at[k];
        assert_int_equal(graze_world_add_box(s->world, name, size, &pose, NULL), GRAZE_OK);
    }
}

/// Fills a stand whose axis and rules are set.
static void fill_stand(stand *s, const thing *post, const thing *slider, const thing *object) {
    load_robot(s, post, slider);
    if (object) {
        assert_int_equal(graze_world_create(&s->world, "w", NULL), GRAZE_OK);
        add_object(s, object, "o");
        if (s->second) add_object(s, s->second, "second");
        if (s->crowded) add_crowd(s);
        assert_int_equal(graze_world_commit(s->world, NULL), GRAZE_OK);
    }
    graze_checker_options options = graze_checker_options_default();
    options.margin = s->margin;
    options.domain = 1000;
    assert_int_equal(graze_checker_create(&s->checker, s->robot, s->world, &options, NULL),
                     GRAZE_OK);
    assert_int_equal(graze_workspace_create(&s->ws, s->checker, NULL), GRAZE_OK);
    s->model = s->checker->filter;
    assert_non_null(s->model);
    assert_true(gz_batch_block_create(&s->block, s->model));
}

static stand open_stand(int axis, const thing *post, const thing *slider, const thing *object) {
    stand s = {.axis = axis};
    fill_stand(&s, post, slider, object);
    return s;
}
static void close_stand(stand *s) {
    gz_batch_block_free(&s->block);
    graze_workspace_free(s->ws);
    graze_checker_free(s->checker);
    graze_world_free(s->world);
    graze_robot_free(s->robot);
}

// ---------------------------------------------------------------------------------- the filters

static size_t list_filters(const gz_filter_kernels *out[2]) {
    size_t count = 0;
    out[count++] = &gz_filter_kernels_base;
#ifdef GRAZE_HAVE_AVX2
    if (gz_kernels_choose() == &gz_kernels_avx2) out[count++] = &gz_filter_kernels_avx2;
#endif
    return count;
}

/// Whether the batch's filter leaves anything of the slider in one lane, at q; the others are away.
static bool batch_keeps(stand *s, const gz_filter_kernels *filters, double q, size_t lane) {
    double rows[GZ_LANES], base[GZ_LANES][12];
    for (size_t i = 0; i < GZ_LANES; i++) {
        rows[i] = i == lane ? q : AWAY;
        memcpy(base[i], identity, sizeof identity);
    }
    s->block.one_base = true;
    s->block.started = s->block.posed = s->block.has_views = false;
    s->block.unfit = 0;
    filters->batch(s->model, rows, 1, GZ_LANES, base, &s->block);
    assert_int_equal(s->block.unfit, 0);
    uint32_t left = 0;
    for (size_t i = 0; i < s->block.pair_count; i++) left |= s->block.pairs[i].lanes;
    for (size_t i = 0; i < s->block.candidate_count; i++)
        if (s->model->links[s->block.candidates[i].link].moves)
            left |= s->block.candidates[i].lanes;
    assert_int_equal(left & ~(1u << lane), 0);
    return left != 0;
}

/// Whether the filter of one configuration leaves anything of the slider at q, with what it knows
/// of earlier ones.
static bool query_keeps_next(stand *s, const gz_filter_kernels *filters, double q) {
    gz_query_scratch *scratch = s->ws->query;
    graze_stats stats = {0};
    assert_true(filters->pose(s->model, &q, identity, scratch));
    filters->pairs(s->model, GZ_PROXY_TEST_APART, scratch, &stats);
    if (s->world) filters->objects(s->model, identity, NULL, GZ_PROXY_TEST_APART, scratch, &stats);
    bool kept = scratch->pair_count > 0 || scratch->certain_pair >= 0 || scratch->certain.link >= 0;
    for (size_t i = 0; i < scratch->candidate_count; i++)
        kept = kept || s->robot->bodies[s->robot->links[scratch->candidates[i].link].body].moves;
    return kept;
}

/// The same, knowing nothing.
static bool query_keeps(stand *s, const gz_filter_kernels *filters, double q) {
    s->ws->query->has_views = false;
    return query_keeps_next(s, filters, q);
}

/// Every filter, in every lane, keeps what touches.
static void all_keep(stand *s, double q) {
    const gz_filter_kernels *filters[2];
    for (size_t k = list_filters(filters); k-- > 0;) {
        for (size_t lane = 0; lane < GZ_LANES; lane++)
            assert_true(batch_keeps(s, filters[k], q, lane));
        assert_true(query_keeps(s, filters[k], q));
    }
}

static void batches_reject(stand *s, double q) {
    const gz_filter_kernels *filters[2];
    for (size_t k = list_filters(filters); k-- > 0;)
        for (size_t lane = 0; lane < GZ_LANES; lane++)
            assert_false(batch_keeps(s, filters[k], q, lane));
}

static void queries_reject(stand *s, double q) {
    const gz_filter_kernels *filters[2];
    for (size_t k = list_filters(filters); k-- > 0;) assert_false(query_keeps(s, filters[k], q));
}

// ------------------------------------------------------------------------------ the last contact

/// The verdict without any float filter.
static bool collides(stand *s, double q) {
    struct gz_filter_model *model = s->checker->filter;
    s->checker->filter = NULL;
    graze_report report = {0};
    assert_int_equal(graze_check(s->checker, s->ws, GRAZE_ANSWER_ANY, &q, 1, NULL, &report, NULL),
                     GRAZE_OK);
    s->checker->filter = model;
    return report.verdict == GRAZE_COLLISION;
}

/// The last contact of the exact verdict.
static double find_contact(stand *s, double high) {
    double low = AWAY;
    assert_true(!collides(s, low) && collides(s, high));
    for (;;) {
        double middle = low + 0.5 * (high - low);
        if (middle == low || middle == high) return high;
        *(collides(s, middle) ? &high : &low) = middle;
    }
}

/// The contact that a scene was made for is where the exact verdict changes, to the last ulp, of
/// boxes; with a sphere within the 1e-9 m that it may call a collision before. There the checks
/// with filters collide, too, by all ways.
static void expect_contact(stand *s, double contact, double early) {
    double first = find_contact(s, contact + 0.125), low = nextafter(first, AWAY);
    assert_true(first <= contact && first >= contact - early);
    double rows[GZ_LANES];
    uint8_t verdicts[GZ_LANES];
    for (int i = 0; i < GZ_LANES; i++) rows[i] = i % 2 ? contact : low;
    graze_batch batch = graze_batch_default();
    batch.count = GZ_LANES;
    batch.q = rows;
    batch.verdicts = verdicts;
    assert_int_equal(graze_check_batch(s->checker, &batch, NULL), GRAZE_OK);
    for (int i = 0; i < GZ_LANES; i++)
        assert_int_equal(verdicts[i], i % 2 ? GRAZE_COLLISION : GRAZE_FREE);
    graze_report report = {0};
    assert_int_equal(
        graze_check(s->checker, s->ws, GRAZE_ANSWER_ANY, &contact, 1, NULL, &report, NULL),
        GRAZE_OK);
    assert_int_equal(report.verdict, GRAZE_COLLISION);
    all_keep(s, contact);
}

// --------------------------------------------------------------------------------------- objects

/// Poses are exact here: their errors are 0.
static void forget_errors(stand *s) {
    for (size_t i = 0; i < s->model->link_count; i++) {
        s->model->links[i].error = 0;
        s->model->radius_bounds[i] = s->model->links[i].radius;
    }
}

static const thing nothing = {.radius = 0.5, .at = {0, -200, 0}};

/// A ball of radius 7 against the corner of a box, (2, 3, 6) from its centre: the box around the
/// ball overlaps it, so the sphere's distance alone decides. Where it touches it is exactly 49.
static void test_a_sphere_at_a_corner_of_an_object(void **state) {
    (void)state;
    const thing ball = {.radius = 7}, box = {.half = {1, 1, 1}, .at = {8, 4, 7}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &nothing, &ball, &box);
        expect_contact(&s, 5, 1e-9);
        forget_errors(&s);
        all_keep(&s, 5);
        // The bound is 1e-5 and the object's pad of 64 u wider; that of one configuration 1.5e-3.
        batches_reject(&s, 7 - sqrt(49 * (1 + 8e-5) - 45));
        queries_reject(&s, 7 - sqrt(49 * (1 + 3.1e-3) - 45));
        close_stand(&s);
    }
}

/// Beside a face the ball, the box around it and the box around all objects touch at once.
static void test_a_sphere_at_a_face_of_an_object(void **state) {
    (void)state;
    const thing ball = {.radius = 4}, box = {.half = {1, 8, 8}, .at = {8, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &nothing, &ball, &box);
        expect_contact(&s, 3, 1e-9);
        forget_errors(&s);
        all_keep(&s, 3);
        batches_reject(&s, 3 - 5e-4);
        queries_reject(&s, 3 - 5e-4);
        close_stand(&s);
    }
}

/// A link that was seen clear of all objects is not looked at again until it has moved as far as it
/// was clear: straight towards a face that is up to the bound of the sphere, 1.5e-3 of the radius
/// before it touches. Where it was seen last says whether it was looked at.
static void test_a_link_moves_as_far_as_it_was_clear(void **state) {
    (void)state;
    const thing ball = {.radius = 4}, box = {.half = {1, 8, 8}, .at = {8, 0, 0}};
    const thing other = {.half = {1, 8, 8}, .at = {-200, 0, 0}}; // both lie around the way
    static const double starts[] = {-40, -1, 2.5};
    for (int i = 0; i < 9; i++) {
        const gz_filter_kernels *filters[2];
        const double from = starts[i / 3], bound = 3 - 4 * 1.5e-3, way = bound - from;
        stand s = {.axis = i % 3, .second = &other};
        fill_stand(&s, &nothing, &ball, &box);
        forget_errors(&s);
        gz_query_scratch *scratch = s.ws->query;
        const float *seen = scratch->clear[s.axis];
        size_t link = 0;
        while (s.robot->links[s.model->links[link].link].body == 0) link++;
        scratch->keeps_planes = true;
        for (size_t k = list_filters(filters); k-- > 0;) {
            assert_false(query_keeps(&s, filters[k], from));
            const float first = seen[link];
            assert_false(query_keeps_next(&s, filters[k], bound - 1e-4 * way - 1e-3));
            assert_true(seen[link] == first);
            assert_false(query_keeps_next(&s, filters[k], bound - 1e-3));
            assert_false(query_keeps(&s, filters[k], from));
            assert_true(query_keeps_next(&s, filters[k], 3));
            assert_true(query_keeps_next(&s, filters[k], 9));
            assert_false(query_keeps(&s, filters[k], from));
            assert_false(query_keeps_next(&s, filters[k], bound));
            assert_true(seen[link] != first);
        }
        close_stand(&s);
    }
}

/// Face to face, a link's box and an object's: the spheres around both overlap by far.
static void test_boxes_face_to_face(void **state) {
    (void)state;
    const thing box = {.half = {1, 0.5, 0.25}}, object = {.half = {2, 3, 4}, .at = {8, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &nothing, &box, &object);
        expect_contact(&s, 5, 0);
        forget_errors(&s);
        all_keep(&s, 5);
        // What is left of the pad is 64 u of the object's place and size, below 5.1e-5 m.
        batches_reject(&s, 5 - 6e-5);
        queries_reject(&s, 5 - 6e-5);
        close_stand(&s);
    }
}

/// Among many objects the tree over the world is asked: by the link's box, in a batch by its
/// sphere.
static void test_a_face_among_many_objects(void **state) {
    (void)state;
    const thing box = {.half = {4, 0.5, 0.25}}, ball = {.radius = 4};
    const thing object = {.half = {1, 8, 8}, .at = {8, 0, 0}};
    for (int axis = 0; axis < 3; axis++)
        for (int round = 0; round < 2; round++) {
            stand s = {.axis = axis, .crowded = true};
            fill_stand(&s, &nothing, round ? &ball : &box, &object);
            assert_true(s.model->all_near && s.block.local_tree);
            expect_contact(&s, 3, round ? 1e-9 : 0x1p-51); // 4 more than an ulp below 3 is 7
            forget_errors(&s);
            all_keep(&s, 3);
            queries_reject(&s, 3 - 1e-4);
            if (round) batches_reject(&s, 3 - 1e-4);
            close_stand(&s);
        }
}

/// Under a margin of 6 a ball of radius 1 collides where one of 7 would touch. What the margin adds
/// to the bound is 1e-5 of it, besides 2e-9 m.
static void test_a_margin_at_a_corner_of_an_object(void **state) {
    (void)state;
    const thing ball = {.radius = 1}, box = {.half = {1, 1, 1}, .at = {8, 4, 7}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = {.axis = axis, .margin = 6};
        fill_stand(&s, &nothing, &ball, &box);
        expect_contact(&s, 5, 4e-9);
        forget_errors(&s);
        all_keep(&s, 5);
        batches_reject(&s, 7 - sqrt(49 * (1 + 9e-5) - 45));
        queries_reject(&s, 7 - sqrt(49 * (1 + 3.2e-3) - 45));
        close_stand(&s);
    }
}

// ----------------------------------------------------------------------------------------- pairs

/// Gives the only pair these bounds, and no others.
static void set_pair(stand *s, float apart2, float outside2, float pad) {
    gz_filter_model *m = s->model;
    assert_int_equal(m->pair_count, 1);
    m->pairs[0].apart2 = apart2;
    m->pairs[0].outside2 = outside2;
    m->pairs[0].sizes[6] = pad;
    assert_int_equal(m->row_count, 1);
    for (int k = 0; k < GZ_LANES; k++)
        if (m->rows[0].apart2[k] >= 0) m->rows[0].apart2[k] = apart2;
}

/// Two balls, 3 and 4, whose centres are (2, 3, 6) apart: the squared distance is exactly 49, and
/// the next float is apart.
static void test_two_spheres(void **state) {
    (void)state;
    const thing ball = {.radius = 3}, post = {.radius = 4, .at = {10, 3, 6}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &post, &ball, NULL);
        expect_contact(&s, 8, 1e-9);
        set_pair(&s, 49, 1e30f, 1e30f);
        all_keep(&s, 8);
        batches_reject(&s, 8 - 0x1p-19);
        queries_reject(&s, 8 - 0x1p-19);
        close_stand(&s);
    }
}

/// The same balls farther and farther apart: a bound of their distance is never above it, and less
/// by no more than 16 u of both lengths.
static void test_the_distance_of_two_spheres(void **state) {
    (void)state;
    const thing ball = {.radius = 3}, post = {.radius = 4, .at = {10, 3, 6}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &post, &ball, NULL);
        const gz_filter_kernels *filters[2];
        gz_query_scratch *scratch = s.ws->query;
        set_pair(&s, 49, 1e30f, 1e30f);
        for (size_t k = list_filters(filters); k-- > 0;)
            for (int i = 0; i < 2000; i++) {
                float keys[GZ_LANES], rows[GZ_LANES];
                size_t least = 0;
                double q = 8.5 - i * 0x1p-8;
                assert_true(filters[k]->pose(s.model, &q, identity, scratch));
                filters[k]->bounds(s.model, scratch, keys, rows);
                long double x = 10 - (long double)q, length = sqrtl(x * x + 45),
                            gap = fmaxl(length - 7, 0);
                assert_true(isinf(filters[k]->least(keys, rows, 1, &least)));
                assert_true(keys[least] <= gap && keys[least] >= gap - 1.2e-6L * (length + 7));
                assert_true(rows[0] == keys[least]);
                for (size_t lane = 0; lane < GZ_LANES; lane++)
                    assert_true((lane == least || isinf(keys[lane])) &&
                                (lane == 0 || isinf(rows[lane])));
            }
        close_stand(&s);
    }
}

/// The ball of the smaller link at a corner of the larger one's box; batches ask that.
static void test_a_sphere_at_a_corner_of_a_link(void **state) {
    (void)state;
    const thing ball = {.radius = 7}, post = {.half = {8, 8, 8}, .at = {17, 11, 14}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &post, &ball, NULL);
        expect_contact(&s, 7, 1e-9);
        set_pair(&s, 1e30f, 49, 1e30f);
        all_keep(&s, 7);
        batches_reject(&s, 7 - 0x1p-19);
        close_stand(&s);
    }
}

static void test_two_boxes(void **state) {
    (void)state;
    const thing box = {.half = {1, 0.5, 0.25}}, post = {.half = {2, 3, 4}, .at = {8, 0, 0}};
    for (int axis = 0; axis < 3; axis++) {
        stand s = open_stand(axis, &post, &box, NULL);
        expect_contact(&s, 5, 0);
        set_pair(&s, 1e30f, 1e30f, 0);
        all_keep(&s, 5);
        batches_reject(&s, 5 - 0x1p-21);
        queries_reject(&s, 5 - 0x1p-21);
        close_stand(&s);
    }
}

/// Boxes turned any way, touching with a corner in a face or edge across edge: with a pad of what
/// floats are off here, and no more, all 15 axes keep them, to the last ulp.
static void test_turned_boxes_at_their_last_contact(void **state) {
    (void)state;
    gz_random random = gz_random_make(11, 0);
    for (int trial = 0; trial < TRIALS(150, 30); trial++) {
        thing post = {.at = {3, 0, 0}}, box = {.at = {0, 0, 0}};
        for (int k = 0; k < 3; k++) {
            post.half[k] = gz_random_range(&random, 0.1, 1);
            box.half[k] = gz_random_range(&random, 0.1, 1);
            post.rpy[k] = gz_random_range(&random, -3, 3);
            box.rpy[k] = gz_random_range(&random, -3, 3);
        }
        stand s = open_stand(trial % 3, &post, &box, NULL);
        double contact = find_contact(&s, 3);
        all_keep(&s, contact);
        set_pair(&s, 1e30f, 1e30f, 4e-6f);
        all_keep(&s, contact);
        close_stand(&s);
    }
}

// ---------------------------------------------------------------------------- values of the model

static graze_checker *check_heron(graze_robot **robot, double margin) {
    char path[512], srdf[512];
    snprintf(path, sizeof path, "%s/urdf/heron.urdf", GRAZE_SOURCE_DIR);
    snprintf(srdf, sizeof srdf, "%s/urdf/heron.srdf", GRAZE_SOURCE_DIR);
    graze_load_options load = graze_load_options_default();
    load.srdf = srdf;
    graze_error error;
    if (graze_robot_load_urdf(robot, path, &load, &error)) fail_msg("%s", error.message);
    graze_checker_options options = graze_checker_options_default();
    options.margin = margin;
    graze_checker *checker;
    assert_int_equal(graze_checker_create(&checker, *robot, NULL, &options, NULL), GRAZE_OK);
    return checker;
}

/// Whether a bound is what it must be at least, and no more than a part of it wider.
static void expect_between(double bound, double least, double wider) {
    if (!(bound >= least && bound <= least * (1 + wider)))
        fail_msg("%.9g is not between %.9g and a part of %g more", bound, least, wider);
}

/// Spheres of links hold the exact ones; the bounds with the errors hold these, and the squares
/// what a squared distance rounds by: 6 u.
static void test_the_bounds_of_the_model(void **state) {
    (void)state;
    static const double margins[] = {0, 0.01};
    for (int round = 0; round < 2; round++) {
        graze_robot *robot;
        graze_checker *checker = check_heron(&robot, margins[round]);
        const gz_filter_model *m = checker->filter;
        assert_non_null(m);
        for (size_t i = 0; i < m->link_count; i++) {
            const gz_filter_link *l = &m->links[i];
            double radius = robot->links[l->link].sphere.radius;
            expect_between((double)l->radius, radius, 0x1p-21);
            expect_between((double)m->radius_bounds[i], (double)l->radius + 4 * (double)l->error,
                           1.01e-3);
        }
        int32_t *common = calloc((size_t)robot->body_count, sizeof *common);
        assert_non_null(common);
        for (size_t i = 0; i < m->pair_count; i++) {
            const gz_filter_pair *p = &m->pairs[i];
            const gz_filter_link *a = &m->links[p->a], *b = &m->links[p->b];
            const gz_pair_side sides[2] = {
                {&robot->links[a->link], (double)a->error, &m->errors[a->body]},
                {&robot->links[b->link], (double)b->error, &m->errors[b->body]}};
            double margin = (double)p->margin, u = 0x1p-24;
            double turned = 1e-5 + 2 * ((double)a->turn + (double)b->turn);
            assert_true(margin >= margins[round] + (round ? 2e-9 : 0));
            assert_true(margin <= (margins[round] + (round ? 5e-9 : 0)) * (1 + turned + 4 * u));
            gz_common_bodies(robot, a->body, common);
            gz_pair_pads pads = gz_pair_pads_make(&sides[0], &sides[1], &m->errors[common[b->body]],
                                                  margin);
            double threshold = (double)a->radius + (double)b->radius + pads.spheres + margin;
            expect_between((double)p->apart2, threshold * threshold * (1 + 6 * u), 3.2e-5);
            const gz_filter_link *ball = &m->links[p->ball], *box = &m->links[p->box];
            assert_true(box->radius >= ball->radius);
            // The ball's errors count 4.01 times, where 4 are needed.
            double error = (double)a->error + (double)b->error;
            double least = (double)ball->radius + 4 * error + margin;
            double most = least + 0.01 * error;
            assert_true((double)p->outside2 >= least * least * (1 + 6 * u));
            assert_true((double)p->outside2 <= most * most * (1 + 4e-5));
            expect_between((double)p->sizes[6], pads.boxes + margin, 1.2e-5);
            expect_between((double)p->error, pads.spheres, 1.2e-5);
        }
        free(common);
        graze_checker_free(checker);
        graze_robot_free(robot);
    }
}

/// Origins and slides along each axis add as much to the way from the base, and to the error of the
/// place.
static void test_a_way_counts_along_each_axis(void **state) {
    (void)state;
    const gz_pose_bound root = {.rotation = 1e-6, .translation = 1e-7};
    for (int slides = 0; slides < 2; slides++) {
        for (int k = 0; k < 3; k++) {
            gz_filter_body body = {.turns = !slides, .value_max = 2};
            (slides ? body.slide : body.shift)[k] = slides ? 1.5f : -3;
            gz_pose_bound next = gz_pose_bound_next(&root, &body);
            assert_true(next.length >= 3 && next.length < 3.1);
            assert_true(next.translation >= root.translation + root.rotation * 3);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_way_counts_along_each_axis),
        cmocka_unit_test(test_a_sphere_at_a_corner_of_an_object),
        cmocka_unit_test(test_a_sphere_at_a_face_of_an_object),
        cmocka_unit_test(test_a_link_moves_as_far_as_it_was_clear),
        cmocka_unit_test(test_boxes_face_to_face),
        cmocka_unit_test(test_a_face_among_many_objects),
        cmocka_unit_test(test_a_margin_at_a_corner_of_an_object),
        cmocka_unit_test(test_two_spheres),
        cmocka_unit_test(test_the_distance_of_two_spheres),
        cmocka_unit_test(test_a_sphere_at_a_corner_of_a_link),
        cmocka_unit_test(test_two_boxes),
        cmocka_unit_test(test_turned_boxes_at_their_last_contact),
        cmocka_unit_test(test_the_bounds_of_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
