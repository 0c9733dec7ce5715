/// @file planar.h
/// The same questions in the plane: everything of graze that is two-dimensional.
#ifndef GRAZE_PLANAR_H
#define GRAZE_PLANAR_H

#include "planar_shape.h"

#endif
