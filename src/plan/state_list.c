#include "plan/plan_internal.h"

#include <string.h>

#include "base/memory.h"

gz_state_list gz_state_list_make(size_t dimension) {
    return (gz_state_list){.dimension = dimension};
}

void gz_state_list_free(gz_state_list *list) {
    gz_free(list->values);
    *list = (gz_state_list){.dimension = list->dimension};
}

double *gz_state_list_at(const gz_state_list *list, size_t i) {
    return list->values + i * list->dimension;
}

/// One number more than needed, so that a space without dimensions has a place, too.
static bool reserve(gz_state_list *list, size_t count) {
    return gz_array_reserve((void **)&list->values, &list->capacity, count * list->dimension + 1,
                            sizeof(double));
}

bool gz_state_list_add(gz_state_list *list, const double *state) {
    if (!reserve(list, list->count + 1)) return false;
    if (list->dimension)
        memcpy(gz_state_list_at(list, list->count), state, list->dimension * sizeof(double));
    list->count++;
    return true;
}

bool gz_state_list_replace(gz_state_list *list, size_t first, size_t last,
                           const gz_state_list *by) {
    size_t row = list->dimension * sizeof(double);
    size_t count = list->count - (last - first) + by->count;
    if (!reserve(list, count)) return false;
    if (row) {
        memmove(gz_state_list_at(list, first + by->count), gz_state_list_at(list, last),
                (list->count - last) * row);
        if (by->count) memcpy(gz_state_list_at(list, first), by->values, by->count * row);
    }
    list->count = count;
    return true;
}

void gz_state_list_reverse(gz_state_list *list) {
    for (size_t i = 0, j = list->count; i + 1 < j; i++) {
        j--;
        for (size_t k = 0; k < list->dimension; k++) {
            double value = gz_state_list_at(list, i)[k];
            gz_state_list_at(list, i)[k] = gz_state_list_at(list, j)[k];
            gz_state_list_at(list, j)[k] = value;
        }
    }
}
