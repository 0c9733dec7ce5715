/// @file planar.h
/// The same questions in the plane: everything of graze that is two-dimensional.
#ifndef GRAZE_PLANAR_H
#define GRAZE_PLANAR_H

#include "planar_approach.h"
#include "planar_arm.h"
#include "planar_cspace.h"
#include "planar_distance.h"
#include "planar_scene.h"
#include "planar_shape.h"
#include "planar_smooth.h"

#endif
