#include "picture/chart.h"

#include <math.h>
#include <string.h>

void gz_chart_fill(const gz_chart *c, int32_t x, int32_t y, int32_t width, int32_t height,
                   gz_color color) {
    for (int32_t j = y < 0 ? 0 : y; j < y + height && j < c->height; j++) {
        for (int32_t i = x < 0 ? 0 : x; i < x + width && i < c->width; i++) {
            uint8_t *p = c->pixels + 3 * ((size_t)j * (size_t)c->width + (size_t)i);
            p[0] = color.r;
            p[1] = color.g;
            p[2] = color.b;
        }
    }
}

static void blend(uint8_t *p, gz_color color, double cover) {
    p[0] = (uint8_t)(p[0] + cover * ((double)color.r - p[0]) + 0.5);
    p[1] = (uint8_t)(p[1] + cover * ((double)color.g - p[1]) + 0.5);
    p[2] = (uint8_t)(p[2] + cover * ((double)color.b - p[2]) + 0.5);
}

static int32_t bound(double value, int32_t most) {
    return value <= 0 ? 0 : value >= most ? most : (int32_t)value;
}

void gz_chart_line(const gz_chart *c, double x0, double y0, double x1, double y1, double thick,
                   gz_color color) {
    double dx = x1 - x0, dy = y1 - y0, square = dx * dx + dy * dy, radius = 0.5 * thick;
    if (!isfinite(square)) return;
    int32_t left = bound(fmin(x0, x1) - radius - 1, c->width);
    int32_t right = bound(fmax(x0, x1) + radius + 2, c->width);
    int32_t top = bound(fmin(y0, y1) - radius - 1, c->height);
    int32_t bottom = bound(fmax(y0, y1) + radius + 2, c->height);
    for (int32_t j = top; j < bottom; j++) {
        for (int32_t i = left; i < right; i++) {
            double x = i + 0.5 - x0, y = j + 0.5 - y0;
            double t = square > 0 ? fmin(fmax((x * dx + y * dy) / square, 0), 1) : 0;
            double cover = radius + 0.5 - hypot(x - t * dx, y - t * dy);
            if (cover <= 0) continue;
            blend(c->pixels + 3 * ((size_t)j * (size_t)c->width + (size_t)i), color,
                  fmin(cover, 1));
        }
    }
}

// ------------------------------------------------------------------------------------------- words

/// Strokes of the characters from '!' to '~': polylines of points, two digits each (x from 0 to 4,
/// y from 0 to 8; the base line is y = 2, capitals end at 8), a blank between polylines.
static const char *const strokes[] = {
    "2824 2222",                        // !
    "1816 3836",                        // "
    "1218 3238 0646 0444",              // #
    "4616051434433202 2821",            // $
    "0248 0717 3343",                   // %
    "4205071828370403123244",           // &
    "2826",                             // '
    "38262432",                         // (
    "18262412",                         // )
    "2723 0644 0446",                   // *
    "0545 2723",                        // +
    "2211",                             // ,
    "0545",                             // -
    "2222",                             // .
    "0148",                             // /
    "123243473818070312",               // 0
    "172822 1232",                      // 1
    "07183847460242",                   // 2
    "0718384746354443321203 1535",      // 3
    "32380444",                         // 4
    "480805354443321203",               // 5
    "4738180703123243443505",           // 6
    "084812",                           // 7
    "15060718384746351504031232434435", // 8
    "0312324347381807061545",           // 9
    "2222 2626",                        // :
    "2211 2626",                        // ;
    "470543",                           // <
    "0646 0444",                        // =
    "074503",                           // >
    "07183847463524 2222",              // ?
    "4312031647 4535153345",            // @
    "022842 1434",                      // A
    "02083847463505 3544433202",        // B
    "4738180703123243",                 // C
    "02082846442202",                   // D
    "48080242 0535",                    // E
    "480802 0535",                      // F
    "47381807031232434525",             // G
    "0208 4248 0545",                   // H
    "1838 1232 2822",                   // I
    "3833221203",                       // J
    "0208 4804 1542",                   // K
    "080242",                           // L
    "0208254842",                       // M
    "02084248",                         // N
    "123243473818070312",               // O
    "02083847463505",                   // P
    "123243473818070312 2442",          // Q
    "02083847463505 2542",              // R
    "473818070615354443321203",         // S
    "0848 2822",                        // T
    "080312324348",                     // U
    "082248",                           // V
    "0812263248",                       // W
    "0248 0842",                        // X
    "082548 2522",                      // Y
    "08480242",                         // Z
    "38181131",                         // [
    "0841",                             // backslash
    "18383111",                         // ]
    "062846",                           // ^
    "0141",                             // _
    "1827",                             // `
    "0516364542 441403123243",          // a
    "0802 0516364543321203",            // b
    "4536160503123243",                 // c
    "4842 4536160503123243",            // d
    "04444536160503123243",             // e
    "48382722 1636",                    // f
    "4641301001 4536160503123243",      // g
    "0802 0516364542",                  // h
    "2622 2828",                        // i
    "36312010 3838",                    // j
    "0802 4603 1442",                   // k
    "2822",                             // l
    "0602 05162522 25364542",           // m
    "0602 0516364542",                  // n
    "123243453616050312",               // o
    "0600 0516364543321203",            // p
    "4640 4536160503123243",            // q
    "0602 05163645",                    // r
    "4616051434433202",                 // s
    "28233242 1636",                    // t
    "0603123243 4642",                  // u
    "062246",                           // v
    "0612243246",                       // w
    "0246 0642",                        // x
    "0622 4610",                        // y
    "06460242",                         // z
    "38272615242231",                   // {
    "2820",                             // |
    "18272635242211",                   // }
    "04153445",                         // ~
};

static const char *strokes_of(char letter) {
    return letter > ' ' && letter <= '~' ? strokes[letter - '!'] : "0208484202";
}

enum { BASE_LINE = 2, CAPITAL = 6, GAP = 2, BLANK = 4 };

/// Left and right end of a letter in units.
static void extent(const char *s, int *left, int *right) {
    *left = 9;
    *right = 0;
    for (; *s; s += s[0] == ' ' ? 1 : 2) {
        if (*s == ' ') continue;
        int x = *s - '0';
        if (x < *left) *left = x;
        if (x > *right) *right = x;
    }
}

double gz_chart_text_width(const char *text, double size) {
    int units = 0, left, right;
    for (; *text; text++) {
        if (*text == ' ') {
            units += BLANK;
            continue;
        }
        extent(strokes_of(*text), &left, &right);
        units += right - left + GAP;
    }
    return (units > 0 ? units - GAP : 0) * size / CAPITAL;
}

void gz_chart_text(const gz_chart *c, double x, double y, const char *text, double size,
                   bool upward, gz_color color) {
    double unit = size / CAPITAL, thick = fmax(1.1, 0.13 * size);
    int left, right, at = 0;
    for (; *text; text++) {
        if (*text == ' ') {
            at += BLANK;
            continue;
        }
        const char *s = strokes_of(*text);
        extent(s, &left, &right);
        double fx = 0, fy = 0;
        bool down = false;
        for (; *s; s += *s == ' ' ? 1 : 2) {
            if (*s == ' ') {
                down = false;
                continue;
            }
            double along = (at + (s[0] - '0') - left) * unit;
            double up = ((s[1] - '0') - BASE_LINE) * unit;
            double px = upward ? x - up : x + along, py = upward ? y - along : y - up;
            if (down) gz_chart_line(c, fx, fy, px, py, thick, color);
            fx = px;
            fy = py;
            down = true;
        }
        at += right - left + GAP;
    }
}
