/// Configurations as the user writes them: which number belongs to which column of q.
#ifndef GZ_CLI_CONFIGURATION_H
#define GZ_CLI_CONFIGURATION_H

#include "cli/argument.h"
#include "graze/graze.h"

/// Base coordinates as columns: base_x base_y base_z base_roll base_pitch base_yaw.
#define GZ_BASE_SIZE 6

/// Where the numbers of a row go: to a column of q (0 and above), or to base coordinate -1 - place.
typedef struct gz_columns {
    int32_t *places;
    size_t count, capacity;
} gz_columns;

/// The name of base coordinate i, 0 to 5.
const char *gz_base_name(size_t i);

/// A robot's state: where what is not named stays, and what is checked.
typedef struct gz_posture {
    double *q;
    size_t size;
    double base[GZ_BASE_SIZE];
} gz_posture;

/// The options that say where unnamed joints and the base stay.
typedef struct gz_posture_options {
    const char *joints, *rest, *state, *base;
} gz_posture_options;

#define GZ_POSTURE_OPTION_COUNT 4
void gz_posture_option_table(gz_posture_options *posture,
                             gz_option options[GZ_POSTURE_OPTION_COUNT]);

/// Errors of these functions are GRAZE_ERROR_ARGUMENT (wrong usage), unless said otherwise.

/// All columns of q, with `with_base` the base's six in front.
graze_status gz_columns_all(gz_columns *columns, const graze_robot *robot, bool with_base,
                            graze_error *error);
/// Adds the column of that name (not NUL-terminated). Unknown and repeated names are errors.
graze_status gz_columns_add(gz_columns *columns, const graze_robot *robot, const char *name,
                            size_t length, graze_error *error);
/// The columns of a list "A,B,..."
graze_status gz_columns_parse(gz_columns *columns, const graze_robot *robot, const char *list,
                              graze_error *error);
bool gz_columns_have_base(const gz_columns *columns);
void gz_columns_free(gz_columns *columns);

/// Puts one row of numbers where its columns say.
void gz_columns_scatter(const gz_columns *columns, const double *row, double *q, double *base);

/// 0 clipped into the limits, then --rest, then --state, and --base.
graze_status gz_posture_make(gz_posture *posture, const graze_robot *robot,
                             const gz_posture_options *options, graze_error *error);
/// A copy of a posture. Fails only for lack of memory.
graze_status gz_posture_copy(gz_posture *posture, const gz_posture *from, graze_error *error);
void gz_posture_free(gz_posture *posture);

/// Reads "0.1,0.2,..." (in the order of `joints`, NULL: all of q) or "joint=0.1,other=0.2" into
/// the posture. `option` is what errors call it, e.g. "-q".
graze_status gz_posture_parse(gz_posture *posture, const graze_robot *robot, const char *joints,
                              const char *option, const char *text, graze_error *error);

/// Reads a base pose "x,y,z,r,p,y".
graze_status gz_base_parse(double base[GZ_BASE_SIZE], const char *option, const char *text,
                           graze_error *error);

/// Applies a group state, NAME or GROUP/NAME.
graze_status gz_posture_apply_state(gz_posture *posture, const graze_robot *robot,
                                    const char *option, const char *name, graze_error *error);

#endif
