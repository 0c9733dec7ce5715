// graze sweep: more configurations than one machine checks at once, a shard at a time, as arrays of
// Zarr. A shard is a function of its number alone, so that any process may compute any of them.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/argument.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/program_path.h"
#include "cli/sweep/sweep_run.h"
#include "cli/text.h"

static const gz_command_line command_line = {
    .command = "sweep",
    .synopsis = "sweep ROBOT -o DIR.zarr [options]",
    .about =
        "Checks very many configurations, a shard at a time, into a folder that Zarr reads. Every\n"
        "shard is a file of its own that appears when it is complete, and depends on its number\n"
        "alone: run the command again after whatever ended it, or several at once on shares of the\n"
        "shards, and what is missing is computed. The last line says what is still missing.\n"
        "In an array of Slurm and under MPI the share is that of the task.",
    .examples =
        "  graze compile robot.urdf --srdf robot.srdf --world cell.json -o cell.graze\n"
        "  graze sweep cell.graze --count 1000000000 -o free.zarr\n"
        "  graze sweep cell.graze --count 1000000000 -o free.zarr --slurm 100 | sbatch\n"
        "  graze sweep cell.graze --grid shoulder=-1:1:201 --grid elbow=0:2:201 -o map.zarr\n"
        "  graze sweep cell.graze --count 100000000 --reachability gripper --voxel 0.05 -o map.zarr\n"
        "  graze sweep cell.graze --count 1000000 --distances --with-q -o training.zarr\n"
        "  graze sweep robot.urdf --configs nodes.npy --edges edges.npy --worlds a.json --worlds "
        "b.json -o roadmap.zarr\n",
    .operand_name = "ROBOT",
};

// --------------------------------------------------------------------------------------- options

/// Reads --shard I/K.
static bool parse_share(const char *text, uint64_t *share, uint64_t *shares) {
    char number[GZ_DECIMAL_SIZE];
    const char *slash = strchr(text, '/');
    if (slash == NULL || (size_t)(slash - text) >= sizeof number) return false;
    snprintf(number, sizeof number, "%.*s", (int)(slash - text), text);
    return gz_decimal_parse_count(number, share) && gz_decimal_parse_count(slash + 1, shares) &&
           *share < *shares;
}

/// A number in a variable of the environment. False where there is none.
static bool read_variable(const char *name, uint64_t *value) {
    const char *text = getenv(name);
    return text != NULL && gz_decimal_parse_count(text, value);
}

/// The share of a task in an array of Slurm, or of a rank of MPI.
static int share_of_environment(gz_sweep_options *o) {
    uint64_t id, least, most, step;
    if (read_variable("SLURM_ARRAY_TASK_ID", &id)) {
        bool whole = read_variable("SLURM_ARRAY_TASK_MIN", &least) &&
                     read_variable("SLURM_ARRAY_TASK_MAX", &most) &&
                     read_variable("SLURM_ARRAY_TASK_COUNT", &o->shares) && o->shares > 0 &&
                     least <= id && id <= most;
        if (!read_variable("SLURM_ARRAY_TASK_STEP", &step) || step == 0) step = 1;
        whole = whole && (most - least) / step + 1 == o->shares;
        if (!whole)
            return gz_message_usage("sweep", "the tasks of the Slurm array are not MIN-MAX:STEP; "
                                             "allowed here: --shard I/K");
        o->share = (id - least) / step;
        return GZ_GO_ON;
    }
    // Open MPI; MPICH and its descendants, and Slurm's srun --mpi=pmi2.
    static const char *const ranks[][2] = {{"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                           {"PMI_RANK", "PMI_SIZE"}};
    for (size_t i = 0; i < GZ_COUNT(ranks); i++)
        if (read_variable(ranks[i][0], &o->share) && read_variable(ranks[i][1], &o->shares) &&
            o->share < o->shares)
            return GZ_GO_ON;
    o->share = 0;
    o->shares = 1;
    return GZ_GO_ON;
}

static int check_usage(gz_sweep_options *o) {
    int sources = (o->count > 0) + (o->configs != NULL) + (o->grid.count > 0);
    const gz_sweep_map *map = &o->map;
    bool mapped = map->frame != NULL || map->box != NULL || map->directions > 0;
    const gz_usage_rule rules[] = {
        {o->output == NULL, "--output is missing; allowed: -o DIR"},
        {sources != 1, "the configurations are missing or named twice; allowed: one of --count, "
                       "--configs and --grid"},
        {o->configs != NULL && strcmp(o->configs, "-") == 0,
         "--configs is standard input; allowed: a file, which every shard reads"},
        {o->grid.count > 0 && o->input.posture.joints != NULL,
         "--joints is for --count and --configs; --grid names its joints itself"},
        {o->motion && o->input.level == GRAZE_LEVEL_BOUNDS, "--motion is for --level mesh"},
        {o->edges != NULL && o->input.level == GRAZE_LEVEL_BOUNDS, "--edges is for --level mesh"},
        {o->distances && o->input.level == GRAZE_LEVEL_BOUNDS, "--distances is for --level mesh"},
        {o->edges != NULL && o->configs == NULL,
         "--edges without --configs; allowed: with the file of its nodes"},
        {o->edges != NULL && o->motion, "--edges with --motion; allowed: one of them"},
        {o->worlds.count > 0 && o->input.attached.count > 0,
         "--worlds with --attach; allowed: a robot that carries the same in all worlds"},
        {mapped && map->name == NULL,
         "--frame, --box or --directions without --reachability; allowed: with the link of the map"},
        {o->slurm > 0 && o->shard != NULL, "--slurm with --shard; allowed: one of them"},
        {o->slurm > 0 && strcmp(o->input.path, "-") == 0,
         "--slurm with ROBOT from standard input; allowed: a file"},
    };
    int status = gz_usage_check("sweep", rules, GZ_COUNT(rules));
    if (status != GZ_GO_ON) return status;
    if (o->shard == NULL) return o->slurm > 0 ? GZ_GO_ON : share_of_environment(o);
    if (parse_share(o->shard, &o->share, &o->shares)) return GZ_GO_ON;
    return gz_message_usage("sweep", "--shard is '%s'; allowed: I/K, with I from 0 to K - 1",
                            o->shard);
}

static int parse(gz_sweep_options *o, int argc, char **argv) {
    gz_option what[] = {
        {"count", "N", .count = &o->count, .minimum = 1, .maximum = (uint64_t)1 << 53,
         .help = "draw N configurations within the limits"},
        {"seed", "S", .count = &o->seed, .help = "of them (default 1)"},
        {"configs", "FILE", .text = &o->configs, .file = GZ_FILE_READ,
         .help = "those of a file, as for 'graze check --configs'"},
        {"grid", "JOINT=LOW:HIGH:N", .texts = &o->grid,
         .help = "N values of a joint from LOW to HIGH; repeatable, the\nlast varies fastest"},
        {"worlds", "FILE", .texts = &o->worlds, .file = GZ_FILE_READ,
         .help = "in each of these worlds, which --world is added to;\nrepeatable"},
    };
    gz_option answer[] = {
        {"pairs", NULL, .flag = &o->pairs, .help = "also the first pair of each that collides"},
        {"motion", NULL, .flag = &o->motion,
         .help = "also whether the whole way from each to the next is\nfree"},
        {"edges", "FILE", .text = &o->edges, .file = GZ_FILE_READ,
         .help = "also whether the whole motion between two rows of\n--configs is free, for each "
                 "row of two of their numbers\n(NPY, int32 or int64)"},
        {"distances", NULL, .flag = &o->distances,
         .help = "also bounds of the least distance, and the pair"},
        {"with-q", NULL, .flag = &o->with_q, .help = "also the configurations themselves"},
        {"output", "DIR", .letter = 'o', .text = &o->output,
         .help = "the folder: new, or one of this sweep"},
        {"stats", NULL, .flag = &o->stats,
         .help = "processor time of the checks and of all, on stderr"},
    };
    gz_option map[] = {
        {"reachability", "LINK", .text = &o->map.name,
         .help = "also how many configurations put the link into each\nvoxel, and how many of "
                 "them are free"},
        {"frame", "x,y,z,r,p,y", .text = &o->map.frame,
         .help = "the origin of this frame on the link in its place"},
        {"voxel", "M", .number = &o->map.voxel, .help = "edge of a voxel (default 0.05)"},
        {"box", "x,y,z,x,y,z", .text = &o->map.box,
         .help = "corners of the voxels (default: as the first\nconfigurations need)"},
        {"directions", "N", .count32 = &o->map.directions, .minimum = 1, .maximum = 64,
         .help = "also by the direction of the z axis: N x N cells on\neach side of a cube"},
    };
    gz_option work[] = {
        {"chunk", "N", .count = &o->chunk, .minimum = 1, .maximum = (uint64_t)1 << 27,
         .help = "items of a shard (default 8388608, or all; 1048576\nwith --edges; 65536 with "
                 "--distances or --with-q)"},
        {"shard", "I/K", .text = &o->shard,
         .help =
             "only shards I, I + K, ...; I from 0 (default: of the\nSlurm task or MPI rank, else all)"},
        {"slurm", "K", .count = &o->slurm, .minimum = 1, .maximum = 1000000,
         .help = "instead: print a batch script of K tasks"},
        {"threads", "N", .count32 = &o->threads, .maximum = 1024,
         .help = "default 1; 0: one per processor"},
    };
    const gz_option_section own[] = {GZ_SECTION("configurations", what),
                                     GZ_SECTION("answer", answer),
                                     GZ_SECTION("reachability map", map), GZ_SECTION("work", work)};
    int status = gz_robot_input_parse(&o->input, &command_line, own, GZ_COUNT(own), argc, argv);
    return status == GZ_GO_ON ? check_usage(o) : status;
}

// -------------------------------------------------------------------------------------- the script

static void put_word(const char *text) {
    putchar(' ');
    if (text[0] != '\0' && gz_shell_bare(text)) {
        fputs(text, stdout);
        return;
    }
    // Byte for byte: what is printed is run.
    putchar('\'');
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    putchar('\'');
}

/// Prints a batch script that runs this command line as an array of tasks.
static int print_script(const gz_sweep_options *o) {
    char program[GRAZE_PATH_SIZE];
    gz_program_path(program, 0);
    printf("#!/bin/sh\n#SBATCH --job-name=graze-sweep\n#SBATCH --array=0-%" PRIu64
           "\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=%" PRIu32
           "\n#SBATCH --requeue\n#SBATCH --open-mode=append\nexec",
           o->slurm - 1, o->threads > 0 ? o->threads : 1);
    put_word(program[0] != '\0' ? program : "graze");
    for (int i = 0; i < o->argc; i++) {
        if (strcmp(o->argv[i], "--slurm") == 0)
            i++;
        else if (strncmp(o->argv[i], "--slurm=", strlen("--slurm=")) != 0)
            put_word(o->argv[i]);
    }
    printf(" --shard \"$SLURM_ARRAY_TASK_ID/%" PRIu64 "\"\n", o->slurm);
    return GZ_EXIT_FINE;
}

int gz_command_sweep(int argc, char **argv) {
    gz_sweep_options options = {.input = gz_robot_input_default("sweep"),
                                .seed = 1,
                                .map.voxel = 0.05,
                                .argc = argc,
                                .argv = argv};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON)
        status = options.slurm > 0 ? print_script(&options) : gz_sweep_run(&options);
    gz_texts_free(&options.grid);
    gz_texts_free(&options.worlds);
    gz_robot_input_free(&options.input);
    return status;
}
