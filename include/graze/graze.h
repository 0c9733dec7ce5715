/// @file graze.h
/// Everything: include this, or the headers by role.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "base.h"
#include "build.h"
#include "check.h"
#include "compiled.h"
#include "contacts.h"
#include "control.h"
#include "cspace.h"
#include "distance.h"
#include "geometry.h"
#include "ik.h"
#include "lint.h"
#include "matrix.h"
#include "mesh_report.h"
#include "motion.h"
#include "plan.h"
#include "planar.h"
#include "pool.h"
#include "problems.h"
#include "roadmap.h"
#include "robot.h"
#include "rules.h"
#include "scene.h"
#include "smoothing.h"
#include "space.h"
#include "tables.h"
#include "timing.h"
#include "trajectory.h"
#include "types.h"
#include "world.h"

#endif
