/// @file graze.h
/// Everything: include this, or the headers by role.
#ifndef GRAZE_GRAZE_H
#define GRAZE_GRAZE_H

#include "base.h"
#include "check.h"
#include "geometry.h"
#include "plan.h"
#include "robot.h"
#include "types.h"
#include "world.h"

#endif
