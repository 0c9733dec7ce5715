/// Structures whose size belongs to the caller: a program may have been compiled against an older
/// graze.h, in which one was shorter, or a newer one. Those of options begin with `uint32_t
/// struct_size`, which the caller's compiler has set by graze_NAME_default(); of those that the
/// library fills it passes the size to graze_NAME_sized().
#ifndef GZ_BASE_OPTIONS_H
#define GZ_BASE_OPTIONS_H

#include <string.h>

#include "base/error.h"

/// Fills a structure of the caller's, which has `size` bytes there, with a value of `known` bytes:
/// as many as fit, and 0 behind them.
static inline void gz_fill(void *out, size_t size, const void *value, size_t known) {
    memcpy(out, value, size < known ? size : known);
    if (size > known) memset((unsigned char *)out + known, 0, size - known);
}

/// Writes defaults of `known` bytes into the caller's structure of `size` bytes: as many as fit,
/// and 0 behind them.
void gz_options_init(void *out, size_t size, const void *defaults, size_t known);

/// Reads options: `out` gets the caller's values, and defaults for fields that the caller's
/// structure does not have yet. Longer structures must be 0 in the fields that are not known here.
/// @param out      [in,out] the defaults, of `known` bytes
/// @param given    the caller's, or NULL for the defaults
/// @param function what sets struct_size, for the message
graze_status gz_options_read(void *out, size_t known, const void *given, const char *function,
                             graze_error *error);

/// Defines graze_NAME_init(): the defaults are those that a static function defaults() returns.
#define GZ_OPTIONS_INIT(type, defaults)                                                            \
    void type##_init(type *options, size_t size) {                                                 \
        const type values = defaults();                                                            \
        gz_options_init(options, size, &values, sizeof values);                                    \
    }

/// Reads options into `out`, a variable of their type that becomes the defaults first.
#define GZ_OPTIONS_READ(type, out, given, error)                                                   \
    (*(out) = type##_default(),                                                                    \
     gz_options_read((out), sizeof *(out), (given), #type "_default()", (error)))

#endif
