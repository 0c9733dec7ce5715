#include "import/confinement.h"

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
                   "seccomp filters, or no importer (--no-sandbox)",
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

/// Calls that are allowed whatever their arguments. None of them names a file, a process or an
/// address of another machine; read and write know only the descriptors that are open.
static const int plain[] = {
    __NR_read,         __NR_write,           __NR_exit,   __NR_exit_group, __NR_brk,
    __NR_munmap,       __NR_mremap,          __NR_futex,  __NR_getrandom,  __NR_clock_gettime,
    __NR_gettimeofday, __NR_rt_sigreturn,    __NR_getpid, __NR_gettid,     __NR_rt_sigprocmask,
    __NR_sched_yield,  __NR_restart_syscall,
};

/// Calls that would map memory: allowed unless it could be executed, so that no code comes in.
static const int mapping[] = {__NR_mmap, __NR_mprotect};

enum { PLAIN = sizeof plain / sizeof *plain, MAPPING = sizeof mapping / sizeof *mapping };
/// From this on advice asks the machine to take pages for broken, which it does for root.
enum { ADVICE_MAX = 100 };

enum { LENGTH_MAX = 8 + 2 * PLAIN + 5 * MAPPING + 5 + 5 };

/// A filter under construction. Jumps in the language of seccomp count instructions to skip.
typedef struct filter {
    struct sock_filter code[LENGTH_MAX];
    unsigned short length;
} filter;

static void add(filter *f, unsigned code, uint32_t k, unsigned if_true, unsigned if_false) {
    f->code[f->length++] = (struct sock_filter){(unsigned short)code, (unsigned char)if_true,
                                                (unsigned char)if_false, k};
}

/// Takes a field of the call into the accumulator. Of arguments the lower half: both processors
/// are little-endian, and what is looked at has 32 bits.
static void load(filter *f, size_t offset) {
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void end(filter *f, uint32_t verdict) {
    add(f, BPF_RET | BPF_K, verdict, 0, 0);
}

static void build(filter *f) {
    f->length = 0;
    // A call of another architecture (32-bit code on x86-64) has other numbers.
    load(f, offsetof(struct seccomp_data, arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
    end(f, SECCOMP_RET_KILL_PROCESS);
    load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    // x32: the same architecture, numbers with this bit.
    add(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1);
    end(f, SECCOMP_RET_KILL_PROCESS);
#endif
    for (size_t i = 0; i < PLAIN; i++) {
        add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)plain[i], 0, 1);
        end(f, SECCOMP_RET_ALLOW);
    }
    for (size_t i = 0; i < MAPPING; i++) {
        add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)mapping[i], 0, 4);
        load(f, offsetof(struct seccomp_data, args[2]));
        add(f, BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0);
        end(f, SECCOMP_RET_ALLOW);
        end(f, SECCOMP_RET_KILL_PROCESS);
    }
    add(f, BPF_JMP | BPF_JEQ | BPF_K, __NR_madvise, 0, 4);
    load(f, offsetof(struct seccomp_data, args[2]));
    add(f, BPF_JMP | BPF_JGE | BPF_K, ADVICE_MAX, 1, 0);
    end(f, SECCOMP_RET_ALLOW);
    end(f, SECCOMP_RET_KILL_PROCESS);
    // abort() signals its own process; no other may be.
    add(f, BPF_JMP | BPF_JEQ | BPF_K, __NR_tgkill, 0, 3);
    load(f, offsetof(struct seccomp_data, args[0]));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)getpid(), 0, 1);
    end(f, SECCOMP_RET_ALLOW);
    end(f, SECCOMP_RET_KILL_PROCESS);
}

graze_status gz_confinement_filter_calls(graze_error *error) {
    filter f;
    build(&f);
    struct sock_fprog program = {f.length, f.code};
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
                   "system calls for it; allowed: x86-64, aarch64, or no importer (--no-sandbox)");
}

#endif
