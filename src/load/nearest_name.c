#include "load/token.h"

#include <string.h>

enum { MOST_BYTES = 255 };

uint32_t gz_edit_distance(const char *a, const char *b, uint32_t limit) {
    size_t n = strlen(a), m = strlen(b);
    size_t gap = n > m ? n - m : m - n;
    if (n > MOST_BYTES || m > MOST_BYTES || gap > limit) return limit + 1;
    // Row i of the table of distances between the first i bytes of a and the first j of b
    // (Wagner and Fischer 1974), overwriting row i - 1.
    uint32_t row[MOST_BYTES + 1];
    for (size_t j = 0; j <= m; j++) row[j] = (uint32_t)j;
    for (size_t i = 1; i <= n; i++) {
        uint32_t diagonal = row[0];
        row[0] = (uint32_t)i;
        uint32_t least = row[0];
        for (size_t j = 1; j <= m; j++) {
            uint32_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            uint32_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replaced < shorter ? replaced : shorter;
            if (row[j] < least) least = row[j];
        }
        if (least > limit) return limit + 1; // later rows never get smaller
    }
    return row[m] <= limit ? row[m] : limit + 1;
}

gz_neighbours gz_spelling_start(const char *wanted) {
    // One slip, and one more for every six letters: farther off is another name, not a slip.
    uint32_t most = (uint32_t)(strlen(wanted) / 6) + 1;
    return (gz_neighbours){wanted, most + 1, -1};
}

bool gz_spelling_try(gz_neighbours *nearest, const char *name, int32_t index) {
    if (nearest->distance == 0) return false;
    uint32_t distance = gz_edit_distance(nearest->wanted, name, nearest->distance - 1);
    if (distance >= nearest->distance) return false;
    nearest->distance = distance;
    nearest->index = index;
    return true;
}
