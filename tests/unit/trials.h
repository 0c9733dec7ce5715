// How much a test does. Under the address sanitizer, where a trial takes ten times as long and what
// is wrong with memory shows in few, the dear tests do less; every other build does all.
#ifndef UNIT_TRIALS_H
#define UNIT_TRIALS_H

#ifdef __SANITIZE_ADDRESS__
#define TRIALS(all, sanitized) (sanitized)
#else
#define TRIALS(all, sanitized) (all)
#endif

#endif
