/// Runs every scenario under every fault, checks what it left, and prints a table.
///
/// fault_driver FOLDER [--samples N | --all] [--seed S] [--only SCENARIO] [--list]
///
/// FOLDER holds `in` and an empty `run` (faults.py makes both). --samples: of each kind of fault so
/// many places, drawn anew for each scenario (default 4); --all: every allocation, read, file,
/// thread, and 64 places among bytes and times. Exit status 1 when a run broke a promise.
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults/faults.h"

typedef struct kind_rule {
    const char *name, *head;
    int told;         ///< the exit status of a run that says what went wrong
    bool never_told;  ///< the fault must not change anything
    const char *word; ///< that its message must hold; NULL: any message
} kind_rule;

// In the order of fault_kind. A file that cannot grow fails as the disk does, with another errno.
static const kind_rule rules[FAULT_KINDS] = {
    {"no fault", "", 0, true, NULL},
    {"one allocation fails", "alloc", 4, false, "out of memory"},
    {"allocations fail from one on", "allocs", 4, false, "out of memory"},
    {"short reads", "short", 0, true, NULL},
    {"a read is interrupted", "eintr", 0, true, NULL},
    {"a read fails", "eio", 3, false, NULL},
    {"a file ends early", "end", 3, false, NULL},
    {"a file cannot be opened", "eacces", 3, false, NULL},
    {"an output cannot be made", "output", 3, false, NULL},
    {"the disk is full", "full", 3, false, NULL},
    {"threads cannot be started", "thread", 4, false, NULL},
    {"SIGINT at an allocation", "int-a", 130, false, NULL},
    {"SIGINT in a read", "int-r", 130, false, NULL},
    {"SIGINT at a time", "int-t", 130, false, NULL},
};

typedef struct options {
    const char *folder, *only;
    long samples;
    uint64_t seed;
    bool all, list;
} options;

typedef struct tally {
    long told[FAULT_KINDS], same[FAULT_KINDS], broken[FAULT_KINDS];
} tally;

static bool is_signal(fault_kind kind) {
    return kind >= FAULT_SIGNAL_ALLOCATION;
}

// ------------------------------------------------------------------------------------------ check

static bool is_equal(const fault_bytes *a, const fault_bytes *b) {
    return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

static bool is_equal_but_first_line(const char *a, const char *b) {
    const char *a_rest = strchr(a, '\n'), *b_rest = strchr(b, '\n');
    return a_rest && b_rest && strcmp(a_rest, b_rest) == 0;
}

static const fault_file *find_file(const fault_run *run, const char *name) {
    for (size_t i = 0; i < run->file_count; i++)
        if (strcmp(run->files[i].name, name) == 0) return &run->files[i];
    return NULL;
}

/// A run that ends as if nothing had happened must have left the same bytes everywhere.
static const char *check_same(const fault_run *run, const fault_run *good) {
    if (run->file_count != good->file_count) return "ends well with files missing or left over";
    if (!is_equal(&run->out, &good->out)) return "ends well with another output";
    for (size_t i = 0; i < run->file_count; i++)
        if (!is_equal(&run->files[i].content, &good->files[i].content))
            return "ends well with another file";
    return NULL;
}

/// A run that says what went wrong must have left every file as it was (absent, or with its old
/// content) or whole, and printed nothing that a run without a fault would not have printed there.
static const char *check_reported(const fault_run *run, const fault_run *good, bool existed) {
    if (run->err.size == 0 && run->status < 128) return "fails without a message";
    for (size_t i = 0; i < run->file_count; i++) {
        const fault_file *file = &run->files[i], *whole = find_file(good, file->name);
        // Where nobody catches the signal, a picture's file that waits for its place stays behind.
        bool is_partial = strstr(file->name, ".part") != NULL;
        if (!whole && is_partial && run->status == 256 + SIGINT) continue;
        if (!whole) return "leaves a file that nobody asked for";
        bool is_old = existed && strcmp(file->content.data, FAULT_OLD_CONTENT) == 0;
        if (!is_old && !is_equal(&file->content, &whole->content)) return "leaves a part of a file";
    }
    if (existed && run->file_count < good->file_count) return "removes a file";
    if (run->out.size > good->out.size || memcmp(run->out.data, good->out.data, run->out.size) != 0)
        return "fails, having printed what is not so";
    return NULL;
}

static bool holds(const char *text, const char *word) {
    return strstr(text, word) != NULL;
}

/// NULL where all is well; *told: whether the run said that something went wrong.
static const char *check_run(const fault_run *run, const fault_run *good, const fault_scenario *s,
                             fault_kind kind, bool *told) {
    *told = false;
    const kind_rule *rule = &rules[kind];
    if (run->status == FAULT_EXIT_LEAK) return "leaks";
    if (run->status == FAULT_EXIT_SANITIZER) return "stopped by a sanitizer";
    if (run->status == FAULT_EXIT_BROKEN) return "breaks a promise of the library";
    if (run->status == 256 + SIGALRM) return "hangs";
    // What a linter finds of a file that cannot be read, it reports.
    bool unread = kind == FAULT_READ_ERROR || kind == FAULT_EARLY_END || kind == FAULT_UNREADABLE;
    *told = true;
    if (s->flags & FAULT_REPORT && run->status == 1 && unread)
        return run->out.size + run->file_count > 0 ? NULL : "reports nothing";
    // A package.xml that cannot be read is passed over, with a warning.
    if (s->flags & FAULT_FALLBACK && run->status == 0 && unread && !is_equal(&run->out, &good->out))
        return is_equal_but_first_line(run->out.data, good->out.data) ? NULL : "falls back to else";
    *told = false;
    if (run->status == s->status) return check_same(run, good);
    if (rule->never_told) return "fails";
    // Before the command has set its handler, the signal ends it.
    bool as_told = run->status == rule->told || (is_signal(kind) && run->status == 256 + SIGINT);
    if (!as_told) return "ends with a status that does not fit";
    *told = true;
    if (rule->word && !holds(run->err.data, rule->word)) return "does not say what is wrong";
    return check_reported(run, good, kind >= FAULT_UNWRITABLE);
}

// ----------------------------------------------------------------------------------------- places

static uint64_t next_random(uint64_t *state) { // splitmix64
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static size_t largest_output(const fault_run *good) {
    size_t size = good->out.size;
    for (size_t i = 0; i < good->file_count; i++)
        if (good->files[i].content.size > size) size = good->files[i].content.size;
    return size;
}

/// The places `*first` to the result are those where a fault of that kind can strike.
static long last_place(fault_kind kind, const fault_scenario *s, const fault_run *good, long *first,
                       long counts[6]) {
    *first = 1;
    switch (kind) {
    case FAULT_ALLOCATION:
    case FAULT_ALLOCATIONS:
    case FAULT_SIGNAL_ALLOCATION:
        return counts[0];
    case FAULT_SHORT_READS:
        return counts[1] > 0 ? 2 : 0; // two seeds
    case FAULT_INTERRUPTED_READ:
    case FAULT_SIGNAL_READ:
        return counts[1];
    case FAULT_READ_ERROR:
    case FAULT_EARLY_END:
        if (kind == FAULT_EARLY_END && s->flags & FAULT_STREAM) return 0;
        *first = 0;
        return counts[2] - 1;
    case FAULT_UNREADABLE:
        return counts[3];
    case FAULT_UNWRITABLE:
        return counts[4];
    case FAULT_FULL_DISK:
        // The library writes no files; what its scenarios print is this program's business.
        if (strncmp(s->command, "library", 7) == 0) return -1;
        *first = 0;
        return (long)largest_output(good) - 1;
    case FAULT_THREAD:
        return counts[5];
    case FAULT_SIGNAL_TIME:
        return good->microseconds;
    default:
        return 0;
    }
}

/// Whether --all takes every place: bytes and times are too many.
static bool is_counted(fault_kind kind) {
    return kind != FAULT_READ_ERROR && kind != FAULT_EARLY_END && kind != FAULT_FULL_DISK &&
           kind != FAULT_SIGNAL_TIME;
}

// ------------------------------------------------------------------------------------------- runs

static void print_broken(const fault_scenario *s, const fault_plan *plan, const fault_run *run,
                         const char *what) {
    printf("BROKEN %s: %s, at %ld: %s; status %d\n", s->name, rules[plan->kind].name, plan->at,
           what, run->status);
    for (size_t i = 0; i < run->file_count; i++) printf("    file %s\n", run->files[i].name);
    printf("    %.*s\n", run->err.size < 3000 ? (int)run->err.size : 3000, run->err.data);
    fflush(stdout);
}

static void run_fault(const options *o, const fault_scenario *s, const fault_run *good,
                      fault_plan plan, tally *t) {
    fault_run run;
    fault_run_scenario(&run, s, &plan, o->folder, plan.kind >= FAULT_UNWRITABLE ? good : NULL);
    bool told;
    const char *what = check_run(&run, good, s, plan.kind, &told);
    if (what) print_broken(s, &plan, &run, what);
    long *count = what ? t->broken : told ? t->told : t->same;
    count[plan.kind]++;
    fault_run_clear(&run);
}

static void run_kind(const options *o, const fault_scenario *s, const fault_run *good,
                     fault_kind kind, long counts[6], tally *t, uint64_t *random) {
    long first, last = last_place(kind, s, good, &first, counts);
    long places = last - first + 1;
    if (places <= 0) return;
    long samples = o->all ? is_counted(kind) ? places : 64 : o->samples;
    if (places <= samples) {
        for (long at = first; at <= last; at++) run_fault(o, s, good, (fault_plan){kind, at}, t);
        return;
    }
    // One place in each of so many equal parts.
    for (long i = 0; i < samples; i++) {
        long low = first + places * i / samples, high = first + places * (i + 1) / samples;
        long at = low + (long)(next_random(random) % (uint64_t)(high - low));
        run_fault(o, s, good, (fault_plan){kind, at}, t);
    }
}

/// Without a fault, twice: the same must come of it, or nothing could be told by comparing.
static bool run_good(const options *o, const fault_scenario *s, fault_run *good, long counts[6]) {
    const fault_plan none = {FAULT_NONE, 0};
    fault_run again;
    fault_run_scenario(good, s, &none, o->folder, NULL);
    const fault_counts *c = good->counts;
    const atomic_long *all[6] = {&c->allocations, &c->reads,   &c->bytes,
                                 &c->opens,       &c->outputs, &c->threads};
    for (int i = 0; i < 6; i++) counts[i] = atomic_load(all[i]);
    const char *what = good->status != s->status ? "ends with another status than it should" : NULL;
    if (what) print_broken(s, &none, good, what);
    if (what) return false;
    fault_run_scenario(&again, s, &none, o->folder, good);
    what = check_same(&again, good);
    if (what) print_broken(s, &none, &again, what);
    fault_run_clear(&again);
    return !what;
}

static long run_scenario(const options *o, const fault_scenario *s, size_t index, tally *sum) {
    tally t = {0};
    fault_run good;
    long counts[6];
    uint64_t random = o->seed * 1000003 + index;
    bool fine = run_good(o, s, &good, counts);
    printf("%-22s %6ld %5ld", s->name, counts[0], counts[2]);
    long broken = !fine;
    for (fault_kind kind = FAULT_ALLOCATION; kind < FAULT_KINDS && fine; kind++) {
        run_kind(o, s, &good, kind, counts, &t, &random);
        char cell[32] = "-";
        long n = t.told[kind] + t.same[kind] + t.broken[kind];
        if (n > 0) snprintf(cell, sizeof cell, "%ld+%ld", t.told[kind], t.same[kind]);
        printf(" %9s", cell);
        fflush(stdout);
        broken += t.broken[kind];
        sum->told[kind] += t.told[kind];
        sum->same[kind] += t.same[kind];
        sum->broken[kind] += t.broken[kind];
    }
    printf(" %4ld\n", broken);
    fault_run_clear(&good);
    return broken;
}

// ------------------------------------------------------------------------------------------- main

static bool parse(options *o, int argc, char **argv) {
    *o = (options){.samples = 4, .seed = 1};
    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(argv[i], "--all") == 0) {
            o->all = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            o->list = true;
        } else if (argv[i][0] != '-' && !o->folder) {
            o->folder = argv[i];
        } else if (!value) {
            return false;
        } else if (strcmp(argv[i], "--samples") == 0) {
            o->samples = strtol(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--seed") == 0) {
            o->seed = strtoull(argv[++i], NULL, 10);
        } else if (strcmp(argv[i], "--only") == 0) {
            o->only = argv[++i];
        } else {
            return false;
        }
    }
    return o->list || (o->folder && o->samples > 0);
}

int main(int argc, char **argv) {
    options o;
    if (!parse(&o, argc, argv)) {
        fprintf(stderr, "usage: fault_driver FOLDER [--samples N | --all] [--seed S] "
                        "[--only SCENARIO] [--list]\n");
        return 2;
    }
    if (!o.list) {
        printf("Each cell: runs that said what went wrong + runs that came to the same result.\n");
        printf("%-22s %6s %5s", "scenario", "allocs", "bytes");
        for (int kind = 1; kind < FAULT_KINDS; kind++) printf(" %9s", rules[kind].head);
        printf(" %4s\n", "bad");
    }
    tally sum = {0};
    long broken = 0;
    size_t scenarios = 0;
    for (size_t i = 0; i < fault_scenario_count; i++) {
        const fault_scenario *s = &fault_scenarios[i];
        if (o.only && strcmp(o.only, s->name) != 0) continue;
        scenarios++;
        if (o.list) {
            printf("%-22s %s\n", s->name, s->command);
        } else {
            broken += run_scenario(&o, s, i, &sum);
        }
    }
    if (o.list) return 0;
    printf("%zu scenarios\n", scenarios);
    for (int kind = 1; kind < FAULT_KINDS; kind++)
        printf("%-28s %7ld runs: %7ld told, %7ld the same, %ld broken\n", rules[kind].name,
               sum.told[kind] + sum.same[kind] + sum.broken[kind], sum.told[kind], sum.same[kind],
               sum.broken[kind]);
    return broken > 0 || scenarios == 0;
}
