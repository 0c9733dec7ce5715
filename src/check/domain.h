/// Epsilon, and the domain in which it holds: what a margin above 0 rests on.
#ifndef GZ_CHECK_DOMAIN_H
#define GZ_CHECK_DOMAIN_H

#include "check/checker.h"

/// Fills epsilon and reach of a checker whose robot, world and options are set.
/// GRAZE_ERROR_RANGE for a domain that is none, or, with a margin above 0, where there is no bound.
graze_status gz_domain_prepare(graze_checker *checker, graze_error *error);

/// Whether the configuration that the workspace is posed at is in the domain; true at margin 0,
/// where epsilon does not count. GRAZE_ERROR_RANGE names the base, the link or the joint.
graze_status gz_domain_check(const graze_checker *checker, const graze_workspace *ws,
                             const double *q, graze_error *error);

/// The same for a row that the lane filter may speak about, without posing it: false where this
/// cannot be told.
bool gz_domain_surely(const graze_checker *checker, const double *q, const double base[12]);

#endif
