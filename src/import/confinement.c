// Linux: no other system confines a process so.
#define _GNU_SOURCE 1
#include "import/import.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static graze_status fail(graze_error *error, const char *what) {
    char reason[128];
    return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                   "the importer cannot confine itself: %s: %s; allowed: a system that can, with "
                   "seccomp filters, or --no-sandbox",
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

// -------------------------------------------------------------------------------- system calls

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Statements of the filter's language. Jumps count statements to skip. Of an argument the lower
// half is loaded: both processors are little-endian, and what is looked at has 32 bits.
#define LOAD(field)           BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SKIP_UNLESS(value, n) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, n)
#define ALLOW                 BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define KILL                  BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
/// Allowed whatever its arguments. None of these names a file, a process or an address of another
/// machine; read and write know only the descriptors that are open.
#define PLAIN(call) SKIP_UNLESS(__NR_##call, 1), ALLOW
/// Maps memory: allowed unless it could be executed, so that no code comes in.
#define MAPPING(call)                                                                              \
    SKIP_UNLESS(__NR_##call, 4), LOAD(args[2]),                                                    \
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0), ALLOW, KILL
/// From this on advice asks the machine to take pages for broken, which it does for root.
#define ADVICE_MAX 100

graze_status gz_confinement_filter_calls(graze_error *error) {
    struct sock_filter code[] = {
        // A call of another architecture (32-bit code on x86-64) has other numbers.
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        KILL,
        LOAD(nr),
#ifdef __x86_64__
        // x32: the same architecture, numbers with this bit.
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        KILL,
#endif
        PLAIN(read),
        PLAIN(write),
        PLAIN(exit),
        PLAIN(exit_group),
        PLAIN(brk),
        PLAIN(munmap),
        PLAIN(mremap),
        PLAIN(futex),
        PLAIN(getrandom),
        PLAIN(clock_gettime),
        PLAIN(gettimeofday),
        PLAIN(rt_sigreturn),
        PLAIN(getpid),
        PLAIN(gettid),
        PLAIN(rt_sigprocmask),
        PLAIN(sched_yield),
        PLAIN(restart_syscall),
        MAPPING(mmap),
        MAPPING(mprotect),
        SKIP_UNLESS(__NR_madvise, 4),
        LOAD(args[2]),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, ADVICE_MAX, 1, 0),
        ALLOW,
        KILL,
        // abort() signals its own process; no other may be.
        SKIP_UNLESS(__NR_tgkill, 3),
        LOAD(args[0]),
        SKIP_UNLESS((uint32_t)getpid(), 1),
        ALLOW,
        KILL,
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    // Without the right to gain rights an unprivileged process may install a filter.
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return fail(error, "PR_SET_NO_NEW_PRIVS");
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
        return fail(error, "PR_SET_SECCOMP");
    return GRAZE_OK;
}

#else

graze_status gz_confinement_filter_calls(graze_error *error) {
    return gz_fail(error, GRAZE_ERROR_UNSUPPORTED,
                   "the importer cannot confine itself on this processor: it has no table of "
                   "system calls for it; allowed: x86-64, aarch64, or --no-sandbox");
}

#endif

graze_status gz_confine(const gz_import_request *request, graze_error *error) {
    GZ_TRY(gz_confinement_detach(error));
    GZ_TRY(gz_confinement_limit(request->address_space, request->cpu_seconds, error));
    return request->unconfined ? GRAZE_OK : gz_confinement_filter_calls(error);
}
