// How much a test does. A build that looks at memory, threads or covered lines, where a trial takes
// up to ten times as long, does fewer; the others do all.
#ifndef UNIT_TRIALS_H
#define UNIT_TRIALS_H

#ifdef UNIT_FEW_TRIALS
#define TRIALS(all, few) (few)
#else
#define TRIALS(all, few) (all)
#endif

#endif
