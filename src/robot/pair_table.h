/// Proved lower bounds of the distance of two links, for every place of the one or two columns of q
/// that move them against each other: looked up in a few nanoseconds, where links two joints apart
/// are so near each other at every configuration that spheres and boxes never part them.
/// matrix/pair_table.c makes them and has the proof; docs/tables.md.
#ifndef GZ_ROBOT_PAIR_TABLE_H
#define GZ_ROBOT_PAIR_TABLE_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The unit of what cells hold, metres; they hold up to 65535 of it.
#define GZ_PAIR_TABLE_UNIT 0x1p-16

/// By what part of the greatest magnitude of its range a cell's proof holds beyond it on each
/// side. Finding a cell rounds: see gz_pair_table_place().
#define GZ_PAIR_TABLE_TOLERANCE 0x1p-36

/// Cells along one column, at most.
#define GZ_PAIR_TABLE_CELLS_MAX 1024

/// Magnitudes of q up to which columns that come round are looked up.
#define GZ_PAIR_TABLE_TURNS 1e3

typedef struct gz_pair_table {
    int32_t a, b;       ///< links, a < b
    int32_t columns[2]; ///< of q, ascending; the second is -1 where one alone moves the pair
    int32_t counts[2];  ///< cells along each; 1 where there is no column
    bool rounds[2];     ///< a full turn, which the cells are, brings the pair back
    double low[2];      ///< where the first cell begins, rad or m
    double high[2];     ///< where the last one ends
    uint16_t *cells;    ///< the second column runs fastest: what the distance of the links in real
                        ///< arithmetic is not below, in units; 0: nothing is known
    size_t cell_count;
} gz_pair_table;

/// Where a value of a column lies, in cells; a number that no cell has, or none, where it lies
/// outside. Two differences, a product and a quotient of numbers up to the greatest magnitude M of
/// the range round by less than 2^-50 M and, where the column comes round, of q by 2^-50 times
/// 1000, besides the 160 turns that pi in double is short of: by less than 2^-38 in all, as M is pi
/// there. GZ_PAIR_TABLE_TOLERANCE covers both.
static inline double gz_pair_table_place(const gz_pair_table *t, int k, double value) {
    double count = (double)t->counts[k];
    double per_unit = count / (t->high[k] - t->low[k]);
    double x = (value - t->low[k]) * per_unit;
    if (!t->rounds[k]) return x;
    if (!(fabs(value) <= GZ_PAIR_TABLE_TURNS)) return -1;
    return x - floor(x / count) * count;
}

/// The cell of a place, the last one's end included; -1 for none.
static inline int32_t gz_pair_table_index(const gz_pair_table *t, int k, double place) {
    if (!(place >= 0 && place <= (double)t->counts[k])) return -1;
    int32_t i = (int32_t)place;
    return i < t->counts[k] ? i : t->counts[k] - 1;
}

/// What is known at q, in units; 0 outside of the table.
static inline uint16_t gz_pair_table_at(const gz_pair_table *t, const double *q) {
    int32_t i = gz_pair_table_index(t, 0, gz_pair_table_place(t, 0, q[t->columns[0]]));
    if (i < 0) return 0;
    if (t->columns[1] < 0) return t->cells[i];
    int32_t j = gz_pair_table_index(t, 1, gz_pair_table_place(t, 1, q[t->columns[1]]));
    return j < 0 ? 0 : t->cells[i * t->counts[1] + j];
}

/// The least that is known for all q whose columns are no farther than half[0] and half[1] from
/// these, in units; 0 where a part of them is outside of the table.
uint16_t gz_pair_table_within(const gz_pair_table *table, const double *q, const double half[2]);

/// How many cells know something.
size_t gz_pair_table_known(const gz_pair_table *table);

/// The table of two links, a < b, among `count` sorted by (a, b); NULL for none.
const gz_pair_table *gz_pair_table_find(const gz_pair_table *tables, size_t count, int32_t a,
                                        int32_t b);

#endif
