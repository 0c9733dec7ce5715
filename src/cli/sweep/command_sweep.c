// graze sweep: more configurations than one machine checks at once, a shard at a time, as arrays of
// Zarr. A shard is a function of its number alone, so that any process may compute any of them.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "base/memory.h"
#include "cli/argument.h"
#include "cli/input/robot_input.h"
#include "cli/interrupt.h"
#include "cli/message.h"
#include "cli/output.h"
#include "cli/program_path.h"
#include "cli/sweep/sweep_manifest.h"
#include "cli/sweep/sweep_source.h"
#include "cli/sweep/sweep_store.h"
#include "cli/text.h"

typedef struct sweep_options {
    gz_robot_input input;
    const char *configs, *output, *shard;
    gz_texts grid;
    uint64_t count, seed, chunk, slurm;
    uint32_t threads;
    bool pairs, motion, stats;
    uint64_t share, shares; ///< shards share, share + shares, ... are this process's
    int argc;
    char **argv;
} sweep_options;

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
        "  graze sweep cell.graze --grid shoulder=-1:1:201 --grid elbow=0:2:201 -o map.zarr\n",
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
static int share_of_environment(sweep_options *o) {
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

static int check_usage(sweep_options *o) {
    int sources = (o->count > 0) + (o->configs != NULL) + (o->grid.count > 0);
    const gz_usage_rule rules[] = {
        {o->output == NULL, "--output is missing; allowed: -o DIR"},
        {sources != 1, "the configurations are missing or named twice; allowed: one of --count, "
                       "--configs and --grid"},
        {o->configs != NULL && strcmp(o->configs, "-") == 0,
         "--configs is standard input; allowed: a file, which every shard reads"},
        {o->grid.count > 0 && o->input.posture.joints != NULL,
         "--joints is for --count and --configs; --grid names its joints itself"},
        {o->motion && o->input.level == GRAZE_LEVEL_BOUNDS, "--motion is for --level mesh"},
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

static int parse(sweep_options *o, int argc, char **argv) {
    gz_option what[] = {
        {"count", "N", .count = &o->count, .minimum = 1, .maximum = (uint64_t)1 << 53,
         .help = "draw N configurations within the limits"},
        {"seed", "S", .count = &o->seed, .help = "of them (default 1)"},
        {"configs", "FILE", .text = &o->configs, .file = GZ_FILE_READ,
         .help = "those of a file, as for 'graze check --configs'"},
        {"grid", "JOINT=LOW:HIGH:N", .texts = &o->grid,
         .help = "N values of a joint from LOW to HIGH; repeatable, the\nlast varies fastest"},
    };
    gz_option answer[] = {
        {"pairs", NULL, .flag = &o->pairs, .help = "also the first pair of each that collides"},
        {"motion", NULL, .flag = &o->motion,
         .help = "also whether the whole way from each to the next is\nfree"},
        {"output", "DIR", .letter = 'o', .text = &o->output,
         .help = "the folder: new, or one of this sweep"},
        {"stats", NULL, .flag = &o->stats,
         .help = "processor time of the checks and of all, on stderr"},
    };
    gz_option work[] = {
        {"chunk", "N", .count = &o->chunk, .minimum = 1, .maximum = (uint64_t)1 << 27,
         .help = "configurations of a shard (default 8388608, or all)"},
        {"shard", "I/K", .text = &o->shard,
         .help =
             "only shards I, I + K, ...; I from 0 (default: of the\nSlurm task or MPI rank, else all)"},
        {"slurm", "K", .count = &o->slurm, .minimum = 1, .maximum = 1000000,
         .help = "instead: print a batch script of K tasks"},
        {"threads", "N", .count32 = &o->threads, .maximum = 1024,
         .help = "default 1; 0: one per processor"},
    };
    const gz_option_section own[] = {GZ_SECTION("configurations", what),
                                     GZ_SECTION("answer", answer), GZ_SECTION("work", work)};
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
static int print_script(const sweep_options *o) {
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

// ----------------------------------------------------------------------------------------- the run

enum { BLOCK_ROWS = 32768 };

typedef struct sweep_run {
    const sweep_options *o;
    gz_sweep_source source;
    gz_sweep_store store;
    double *q, *base; ///< of a block and the row behind it
    graze_contact *contacts;
    double batch_seconds; ///< processor time of checks
    uint64_t done;        ///< configurations
} sweep_run;

/// Processor time of all threads, seconds.
static double processor_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/// An error of row or way `element` of a block, by its number in the whole sweep: no verdict is
/// ever made up for it.
static graze_status fail_in_block(const graze_error *problem, const char *word, uint64_t first,
                                  graze_error *error) {
    uint64_t row;
    size_t length = strlen(word);
    bool named = strncmp(problem->element, word, length) == 0 &&
                 gz_decimal_parse_count(problem->element + length, &row);
    if (!named) {
        *error = *problem;
        return problem->status;
    }
    return gz_fail(error, problem->status, "configuration %" PRIu64 " has no verdict: %s",
                   first + row, problem->message);
}

/// Checks `count` configurations that begin at `first`, the item `at` of the shard.
static graze_status check_block(sweep_run *run, uint64_t first, uint64_t at, size_t count,
                                graze_error *error) {
    graze_error problem;
    graze_batch batch = graze_batch_default();
    batch.threads = run->o->threads;
    batch.count = count;
    batch.q = run->q;
    batch.base = run->o->configs != NULL || run->o->grid.count > 0 ? run->base : NULL;
    batch.base_common = run->base;
    batch.answer = run->o->pairs ? GRAZE_ANSWER_PAIR : GRAZE_ANSWER_ANY;
    batch.verdicts = run->store.values + at;
    batch.contacts = run->contacts;
    batch.cancel = gz_interrupt_flag();
    graze_status status = graze_check_batch(run->o->input.checker, &batch, &problem);
    if (status != GRAZE_OK) return fail_in_block(&problem, "row ", first, error);
    for (size_t i = 0; run->o->pairs && i < count; i++) {
        int32_t sides[2] = {-1, -1};
        if (batch.verdicts[i] == GRAZE_COLLISION)
            gz_sweep_pair(&run->o->input, &run->contacts[i], sides);
        gz_sweep_store_put_pair(&run->store, at + i, sides[0], sides[1]);
    }
    return GRAZE_OK;
}

/// Checks `ways` ways, each from a row of the block to the next.
static graze_status check_ways(sweep_run *run, uint64_t first, uint64_t at, size_t ways,
                               graze_error *error) {
    graze_error problem;
    graze_motion_batch batch = graze_motion_batch_default();
    batch.threads = run->o->threads;
    batch.rows = ways + 1;
    batch.count = ways;
    batch.q = run->q;
    batch.base = run->base;
    batch.verdicts = run->store.bytes[GZ_SWEEP_MOTION] + at;
    batch.cancel = gz_interrupt_flag();
    graze_status status = graze_check_motion_batch(run->o->input.checker, &batch, NULL, &problem);
    return status == GRAZE_OK ? status : fail_in_block(&problem, "motion ", first, error);
}

/// Computes one shard in memory.
static graze_status run_shard(sweep_run *run, uint64_t shard, graze_error *error) {
    uint64_t first = shard * run->store.chunk, left = run->store.count - first;
    uint64_t length = left < run->store.chunk ? left : run->store.chunk;
    gz_sweep_store_clear(&run->store);
    for (uint64_t at = 0; at < length; at += BLOCK_ROWS) {
        size_t count = length - at < BLOCK_ROWS ? (size_t)(length - at) : BLOCK_ROWS;
        bool last = first + at + count == run->store.count;
        size_t rows = count + (run->o->motion && !last);
        GZ_TRY(gz_sweep_source_read(&run->source, first + at, rows, run->q, run->base, error));
        double started = processor_time();
        GZ_TRY(check_block(run, first + at, at, count, error));
        if (run->o->motion && rows > 1) GZ_TRY(check_ways(run, first + at, at, rows - 1, error));
        run->batch_seconds += processor_time() - started;
        run->done += count;
    }
    return GRAZE_OK;
}

static void print_outcome(const sweep_run *run, double seconds) {
    uint64_t shards = gz_sweep_store_shards(&run->store), missing = 0;
    for (uint64_t i = 0; i < shards; i++) missing += !gz_sweep_store_has_shard(&run->store, i);
    if (!run->o->input.quiet)
        fprintf(stderr,
                "%" PRIu64 " configurations checked; %" PRIu64 " of %" PRIu64 " shards missing\n",
                run->done, missing, shards);
    if (run->o->stats && run->done > 0)
        fprintf(stderr, "mean %.3f us/config in checks, %.3f us/config in all\n",
                1e6 * run->batch_seconds / (double)run->done, 1e6 * seconds / (double)run->done);
}

/// Computes and writes what is missing of this process's share.
static int run_shards(sweep_run *run) {
    const sweep_options *o = run->o;
    uint64_t shards = gz_sweep_store_shards(&run->store);
    double started = processor_time();
    int status = GZ_EXIT_FINE;
    gz_progress progress = gz_progress_start(o->input.quiet);
    for (uint64_t i = o->share; i < shards && status == GZ_EXIT_FINE;
         i = shards - i > o->shares ? i + o->shares : shards) {
        graze_error error;
        if (gz_sweep_store_has_shard(&run->store, i)) continue;
        graze_status computed = run_shard(run, i, &error);
        gz_progress_update(&progress, run->done, (double)i / (double)shards, "configurations");
        if (computed != GRAZE_OK) gz_progress_clear(&progress);
        if (gz_interrupted())
            status = gz_interrupt_exit();
        else if (computed != GRAZE_OK)
            status = gz_message_error("sweep", &error);
        else
            status = gz_sweep_store_write(&run->store, i);
    }
    gz_progress_clear(&progress);
    if (status == GZ_EXIT_FINE) print_outcome(run, processor_time() - started);
    return status;
}

// ------------------------------------------------------------------------------------ preparation

static graze_status make_source(sweep_run *run, graze_error *error) {
    const sweep_options *o = run->o;
    gz_sweep_source *source = &run->source;
    source->robot = o->input.robot;
    source->joints = o->input.posture.joints;
    source->path = o->configs;
    source->seed = o->seed;
    source->count = o->count;
    source->threads = o->threads;
    GZ_TRY(gz_posture_make(&source->rest, o->input.robot, &o->input.posture, error));
    if (o->grid.count > 0) return gz_sweep_source_grid(source, &o->grid, error);
    return o->configs != NULL ? gz_sweep_source_file(source, error)
                              : gz_sweep_source_draw(source, error);
}

static graze_status make_store(sweep_run *run, char **manifest, graze_error *error) {
    enum { MOST_NAMES = 32768 };
    const sweep_options *o = run->o;
    gz_sweep_store *store = &run->store;
    const char *answers[] = {"collision",
                             o->pairs    ? "pair"
                             : o->motion ? "motion"
                                         : NULL,
                             o->pairs && o->motion ? "motion" : NULL, NULL};
    store->folder = o->output;
    store->count = run->source.count;
    store->chunk = o->chunk < store->count ? o->chunk : store->count;
    store->has[GZ_SWEEP_COLLISION] = true;
    store->has[GZ_SWEEP_PAIR] = o->pairs;
    store->has[GZ_SWEEP_MOTION] = o->motion && store->count > 1;
    if (o->pairs && gz_sweep_name_count(&o->input) > MOST_NAMES)
        return gz_fail(error, GRAZE_ERROR_LIMIT,
                       "there are %zu links and objects; allowed with --pairs: %d at most",
                       gz_sweep_name_count(&o->input), MOST_NAMES - 1);
    size_t row = run->source.rest.size + GZ_BASE_SIZE;
    run->q = gz_malloc((BLOCK_ROWS + 1) * row, sizeof *run->q);
    if (o->pairs) run->contacts = gz_malloc(BLOCK_ROWS, sizeof *run->contacts);
    bool got = run->q != NULL && (!o->pairs || run->contacts != NULL) && gz_sweep_store_make(store);
    if (!got) return gz_fail_memory(error);
    run->base = run->q + (BLOCK_ROWS + 1) * run->source.rest.size;
    return gz_sweep_manifest_make(manifest, &o->input, &run->source, answers, error);
}

static int run_sweep(sweep_options *o) {
    graze_error error;
    char *manifest = NULL;
    sweep_run run = {.o = o};
    GZ_TRY_EXIT(gz_robot_input_prepare(&o->input, GRAZE_VISUALS_CHECK, NULL, false));
    gz_interrupt_catch();
    graze_status made = make_source(&run, &error);
    if (made == GRAZE_OK) made = make_store(&run, &manifest, &error);
    int status = gz_message_outcome("sweep", made, &error);
    if (status == GZ_EXIT_FINE) status = gz_sweep_store_open(&run.store, manifest);
    if (status == GZ_EXIT_FINE) status = run_shards(&run);
    free(manifest);
    gz_free(run.q);
    gz_free(run.contacts);
    gz_sweep_store_free(&run.store);
    gz_sweep_source_free(&run.source);
    return status;
}

int gz_command_sweep(int argc, char **argv) {
    sweep_options options = {.input = gz_robot_input_default("sweep"),
                             .seed = 1,
                             .chunk = (uint64_t)1 << 23,
                             .argc = argc,
                             .argv = argv};
    options.input.shared = GZ_SHARED_CHECKER;
    int status = parse(&options, argc, argv);
    if (status == GZ_GO_ON)
        status = options.slurm > 0 ? print_script(&options) : run_sweep(&options);
    gz_texts_free(&options.grid);
    gz_robot_input_free(&options.input);
    return status;
}
