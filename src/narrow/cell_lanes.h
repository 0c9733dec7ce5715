/// Eight cells of a map: is one of an inside map set, and what does a clearance map hold? In two
/// forms, of which the one for what is compiled is included:
///
/// - any_cell_inside(): whether one of the cells is set. `index` numbers them, whole; lanes of the
///   mask `beyond` are not looked at.
/// - clearance_values(): the values of cells, numbered so, and the mask of those flagged as inside.
#ifndef GZ_NARROW_CELL_LANES_H
#define GZ_NARROW_CELL_LANES_H

#if !defined(GRAZE_SCALAR) && defined(__AVX2__)
#include "narrow/prefilter/cell_lanes.h"
#else
#include "narrow/prefilter/cell_lanes.h"
#endif

#endif
