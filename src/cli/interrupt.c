#include "cli/interrupt.h"

#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// A signal handler can reach nothing but static storage: these are the command's only mutable
// globals.
enum { UNFINISHED = 8 };

static volatile int caught_signal;
static struct {
    volatile sig_atomic_t used;
    int folder; ///< a descriptor
    char name[GZ_UNFINISHED_SIZE];
} unfinished[UNFINISHED];

/// Removes what is unfinished, and ends as the signal does. Calls nothing but what POSIX allows in
/// a handler.
static void end_by(int number) {
    for (int i = 0; i < UNFINISHED; i++)
        if (unfinished[i].used) unlinkat(unfinished[i].folder, unfinished[i].name, 0);
    signal(number, SIG_DFL);
    raise(number); // blocked until the handler returns
}

static void on_interrupt(int number) {
    if (caught_signal != 0)
        end_by(number);
    else
        caught_signal = number;
}

static void catch_signal(int number, void (*handler)(int)) {
    struct sigaction old, action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    // No SA_RESTART: a read that waits for standard input must return.
    sigemptyset(&action.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_DFL)
        sigaction(number, &action, NULL);
}

void gz_interrupt_catch(void) {
    static const int graceful[] = {SIGINT, SIGTERM, SIGHUP};
    static const int others[] = {
        SIGQUIT,   SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF,
#ifdef SIGPOLL
        SIGPOLL,
#endif
#ifdef SIGPWR
        SIGPWR,
#endif
#ifdef SIGSTKFLT
        SIGSTKFLT,
#endif
    };
    for (size_t i = 0; i < sizeof graceful / sizeof *graceful; i++)
        catch_signal(graceful[i], on_interrupt);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) catch_signal(others[i], end_by);
}

const volatile int *gz_interrupt_flag(void) {
    return &caught_signal;
}

bool gz_interrupted(void) {
    return caught_signal != 0;
}

int gz_interrupt_exit(void) {
    return 128 + (caught_signal != 0 ? caught_signal : SIGINT);
}

void gz_interrupt_begin(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int gz_unfinished_add(int folder, const char *name) {
    for (int i = 0; i < UNFINISHED; i++) {
        if (unfinished[i].used) continue;
        unfinished[i].folder = folder;
        snprintf(unfinished[i].name, sizeof unfinished[i].name, "%s", name);
        unfinished[i].used = 1;
        return i;
    }
    return -1;
}

void gz_unfinished_forget(int place) {
    if (place >= 0) unfinished[place].used = 0;
}

bool gz_unfinished_is(const char *name) {
    for (int i = 0; i < UNFINISHED; i++)
        if (unfinished[i].used && strcmp(unfinished[i].name, name) == 0) return true;
    return false;
}
