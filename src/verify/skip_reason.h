/// Why a dump leaves a pair out, held against the dump itself: its joints, and its configurations.
#ifndef GZ_VERIFY_SKIP_REASON_H
#define GZ_VERIFY_SKIP_REASON_H

#include "verify/dump_reader.h"

/// The first pair that is skipped as adjacent though no joint can join its bodies; pair_count where
/// there is none, SIZE_MAX without memory. Links without geometry are looked through; a dump does
/// not say which link of a rigid body has a shape, so all that it leaves open counts as joined.
size_t gz_skip_find_apart(const gz_dump_scene *scene);

/// Whether a pair is skipped because it never collides, which a configuration can refute.
bool gz_skip_is_never(const gz_dump_pair *pair);

/// Whether every joint is within its limits: what "Never" is said of.
bool gz_skip_within_limits(const gz_dump_scene *scene, const double *q);

#endif
