#include "cli/message.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>

// A signal handler can reach nothing but static storage: this is the command's only mutable global.
static volatile int caught_signal;

static void on_signal(int number) {
    caught_signal = number;
}

void gz_interrupt_catch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    // No SA_RESTART: a read that waits for standard input must return. Only the first one is
    // caught, so that a second Ctrl-C ends whatever does not look at the flag.
    action.sa_flags = (int)SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    // Who reads no more ends the program by an error of the write, so that no file stays behind.
    signal(SIGPIPE, SIG_IGN);
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
