/// The floating-point environment that every verdict is promised for: rounding to nearest, subnormal
/// numbers kept, no traps. Hosts set others (-ffast-math at start-up, audio and game loops), so each
/// public function that computes sets what it needs and gives back what it found.
#ifndef GZ_BASE_FLOAT_ENVIRONMENT_H
#define GZ_BASE_FLOAT_ENVIRONMENT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct gz_float_environment {
    uint64_t found; ///< control word (and flags) of the caller
    bool changed;
} gz_float_environment;

/// Sets what is needed, of the calling thread; reads, and writes only where something differs.
gz_float_environment gz_float_environment_enter(void);
void gz_float_environment_leave(const gz_float_environment *environment);

/// The first statement of a function: from here to its end, whichever way it is left, the
/// environment is the promised one. Where the computing is not done by functions that the compiler
/// keeps apart, it belongs into a GZ_OUT_OF_LINE function of its own: nothing else holds it between
/// the two.
#define GZ_FLOAT_ENVIRONMENT                                                                       \
    gz_float_environment gz_float_scope_                                                           \
        __attribute__((cleanup(gz_float_environment_leave_scope), unused)) =                       \
            gz_float_environment_enter()

static inline void gz_float_environment_leave_scope(gz_float_environment *environment) {
    gz_float_environment_leave(environment);
}

#define GZ_OUT_OF_LINE __attribute__((noinline))

#endif
