/// A growing list of states of one space, row after row: waypoints of a path, nodes of a tree.
#ifndef GZ_PLAN_STATE_LIST_H
#define GZ_PLAN_STATE_LIST_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gz_state_list {
    double *values;
    size_t dimension, count, capacity;
} gz_state_list;

gz_state_list gz_state_list_make(size_t dimension);
void gz_state_list_free(gz_state_list *list);

/// State i. Valid until the list grows.
double *gz_state_list_at(const gz_state_list *list, size_t i);

/// Appends a copy of a state, which must not lie in the list itself; false (nothing changed) when
/// out of memory.
bool gz_state_list_add(gz_state_list *list, const double *state);

/// Replaces the states first .. last - 1 by those of another list; false when out of memory.
bool gz_state_list_replace(gz_state_list *list, size_t first, size_t last, const gz_state_list *by);

/// Reverses the order.
void gz_state_list_reverse(gz_state_list *list);

#endif
