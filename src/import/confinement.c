#include "import/confinement.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

static graze_status fail(graze_error *error, const char *what) {
    char reason[128];
    return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                   "the importer cannot confine itself: %s: %s; allowed: a system that can, or no "
                   "importer (--no-sandbox)",
                   what, strerror_r(errno, reason, sizeof reason));
}

graze_status gz_confinement_detach(graze_error *error) {
    closefrom(3);
    if (clearenv() != 0) return fail(error, "clearenv");
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0) return fail(error, "PR_SET_PDEATHSIG");
    if (prctl(PR_SET_DUMPABLE, 0) != 0) return fail(error, "PR_SET_DUMPABLE");
    return GRAZE_OK;
}

graze_status gz_confinement_limit(uint64_t address_space, uint32_t cpu_seconds,
                                  graze_error *error) {
    const struct {
        int resource;
        const char *name;
        uint64_t soft, hard;
    } limits[] = {
        {RLIMIT_AS, "RLIMIT_AS", address_space, address_space},
        // SIGXCPU at the first, SIGKILL a second later.
        {RLIMIT_CPU, "RLIMIT_CPU", cpu_seconds, (uint64_t)cpu_seconds + 1},
        {RLIMIT_FSIZE, "RLIMIT_FSIZE", 0, 0},
        {RLIMIT_NOFILE, "RLIMIT_NOFILE", 0, 0}, // those that are open stay so
        {RLIMIT_NPROC, "RLIMIT_NPROC", 0, 0},
        {RLIMIT_CORE, "RLIMIT_CORE", 0, 0},
        {RLIMIT_MEMLOCK, "RLIMIT_MEMLOCK", 0, 0},
        {RLIMIT_MSGQUEUE, "RLIMIT_MSGQUEUE", 0, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        struct rlimit had, wanted = {limits[i].soft, limits[i].hard};
        // The host's own limits may be tighter: those hold.
        if (getrlimit((__rlimit_resource_t)limits[i].resource, &had) != 0)
            return fail(error, limits[i].name);
        if (wanted.rlim_max > had.rlim_max) wanted.rlim_max = had.rlim_max;
        if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
        if (setrlimit((__rlimit_resource_t)limits[i].resource, &wanted) != 0)
            return fail(error, limits[i].name);
    }
    return GRAZE_OK;
}
