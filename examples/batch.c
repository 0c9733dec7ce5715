// Draws configurations of a robot and checks them all: how many collide, and which links do.
//   batch ROBOT.urdf ROBOT.srdf [WORLD.json [COUNT]]
#include <graze/graze.h>
#include <stdio.h>
#include <stdlib.h>

static int failed(const graze_error *error) {
    fprintf(stderr, "%s:%d: %s\n", error->file, (int)error->line, error->message);
    return 3;
}

int main(int argc, char **argv) {
    if (argc < 3) return fprintf(stderr, "usage: batch URDF SRDF [WORLD [COUNT]]\n"), 2;
    size_t count = argc > 4 ? strtoul(argv[4], NULL, 10) : 100000;
    graze_error error;
    graze_robot *robot;
    graze_world *world = NULL;
    graze_checker *checker;
    graze_load_options options = graze_load_options_default();
    options.srdf = argv[2];
    if (graze_robot_load_urdf(&robot, argv[1], &options, &error)) return failed(&error);
    if (argc > 3 &&
        (graze_world_create(&world, "world", &error) ||
         graze_world_add_file(world, argv[3], NULL, &error) || graze_world_commit(world, &error)))
        return failed(&error);
    if (graze_checker_create(&checker, robot, world, NULL, &error)) return failed(&error);

    size_t columns = graze_robot_q_size(robot);
    double *q = malloc((count * columns + 1) * sizeof *q);
    uint8_t *verdicts = malloc(count + 1);
    uint8_t *outside = malloc(count + 1);
    int32_t *links = malloc((count + 1) * sizeof *links);
    size_t *hits = calloc(graze_robot_link_count(robot), sizeof *hits);
    if (!q || !verdicts || !outside || !links || !hits) return fprintf(stderr, "no memory\n"), 3;
    for (size_t i = 0; i < count; i++) // seed 1, number i: the same on every machine
        if (graze_robot_sample(robot, 1, i, NULL, NULL, q + i * columns, &error))
            return failed(&error);

    graze_batch batch = graze_batch_default();
    batch.count = count;
    batch.q = q;
    batch.threads = 0; // one per processor
    batch.answer = GRAZE_ANSWER_PAIR;
    batch.verdicts = verdicts;
    batch.links = links; // and no more of the contacts
    batch.outside_limits = outside;
    if (graze_check_batch(checker, &batch, &error)) return failed(&error);

    size_t colliding = 0, beyond = 0, first;
    for (size_t i = 0; i < count; i++) {
        beyond += outside[i];
        if (verdicts[i] != GRAZE_COLLISION) continue;
        colliding++;
        hits[links[i]]++;
    }
    printf("%zu of %zu configurations collide, %zu are outside of limits\n", colliding, count,
           beyond);

    batch.stop_at_first = 1; // only whether all are free: ends with the first that is not
    batch.order = GRAZE_ORDER_BIT_REVERSED;
    batch.first = &first;
    if (graze_check_batch(checker, &batch, &error)) return failed(&error);
    if (first < count) printf("from coarse to fine, number %zu is the first\n", first);
    for (int32_t link = 0; link < (int32_t)graze_robot_link_count(robot); link++)
        if (hits[link]) printf("%8zu  %s\n", hits[link], graze_robot_link_name(robot, link));
    free(q);
    free(verdicts);
    free(outside);
    free(links);
    free(hits);
    graze_checker_free(checker);
    graze_world_free(world);
    graze_robot_free(robot);
    return 0;
}
