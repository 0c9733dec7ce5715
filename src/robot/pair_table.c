// Tables of the distances of pairs: lookups over a range, and what users may see of them.
#include "robot/pair_table.h"

#include "base/options.h"
#include "graze/tables.h"
#include "robot/robot.h"

/// The cells that a range of one column touches: `count` from `first` on, round and round.
typedef struct cell_range {
    int32_t first, count;
} cell_range;

static cell_range range_of(const gz_pair_table *t, int k, double value, double half) {
    const cell_range none = {0, 0};
    int32_t cells = t->counts[k];
    if (t->columns[k] < 0) return (cell_range){0, 1};
    double per_unit = (double)cells / (t->high[k] - t->low[k]), span = half * per_unit;
    double place = gz_pair_table_place(t, k, value);
    if (!(place >= 0 && place <= (double)cells && span >= 0 && span < cells)) return none;
    double from = floor(place - span), to = floor(place + span);
    if (t->rounds[k])
        return (cell_range){(int32_t)(from < 0 ? from + cells : from), // span < cells
                            (int32_t)fmin(to - from + 1, cells)};
    // The ends of the first and the last cell belong to them, with half of what their proof holds
    // beyond.
    double most = fmax(fabs(t->low[k]), fabs(t->high[k]));
    double beyond = 0.5 * GZ_PAIR_TABLE_TOLERANCE * most * per_unit;
    if (place - span < -beyond || place + span > cells + beyond) return none;
    from = fmax(from, 0);
    to = fmin(to, cells - 1);
    return (cell_range){(int32_t)from, (int32_t)(to - from) + 1};
}

uint16_t gz_pair_table_within(const gz_pair_table *t, const double *q, const double half[2]) {
    cell_range rows = range_of(t, 0, q[t->columns[0]], half[0]);
    cell_range columns = range_of(t, 1, t->columns[1] < 0 ? 0 : q[t->columns[1]], half[1]);
    if (!rows.count || !columns.count) return 0;
    uint16_t least = UINT16_MAX;
    for (int32_t i = 0; i < rows.count && least; i++) {
        const uint16_t *row = t->cells + (rows.first + i) % t->counts[0] * t->counts[1];
        for (int32_t j = 0; j < columns.count; j++) {
            uint16_t cell = row[(columns.first + j) % t->counts[1]];
            if (cell < least) least = cell;
        }
    }
    return least;
}

const gz_pair_table *gz_pair_table_find(const gz_pair_table *tables, size_t count, int32_t a,
                                        int32_t b) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const gz_pair_table *t = &tables[middle];
        if (t->a < a || (t->a == a && t->b < b))
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && tables[low].a == a && tables[low].b == b ? &tables[low] : NULL;
}

size_t gz_pair_table_known(const gz_pair_table *t) {
    size_t known = 0;
    for (size_t i = 0; i < t->cell_count; i++) known += t->cells[i] > 0;
    return known;
}

size_t graze_robot_table_count(const graze_robot *r) {
    return r ? r->table_count : 0;
}

graze_status graze_robot_table_sized(const graze_robot *r, size_t index, graze_pair_table *out,
                                     size_t size) {
    if (!r || !out || index >= r->table_count) return GRAZE_ERROR_ARGUMENT;
    const gz_pair_table *t = &r->tables[index];
    const graze_pair_table info = {.a = t->a,
                                   .b = t->b,
                                   .columns = {t->columns[0], t->columns[1]},
                                   .cells = {t->counts[0], t->counts[1]},
                                   .share = (double)gz_pair_table_known(t) / (double)t->cell_count};
    gz_fill(out, size, &info, sizeof info);
    return GRAZE_OK;
}

double graze_robot_table_bound(const graze_robot *r, size_t index, const double *q,
                               size_t q_count) {
    if (!r || index >= r->table_count || !q || q_count != r->column_count) return 0;
    return GZ_PAIR_TABLE_UNIT * gz_pair_table_at(&r->tables[index], q);
}
