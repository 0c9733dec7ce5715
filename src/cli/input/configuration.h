/// Configurations as the user writes them: which number belongs to which column of q; one by one,
/// or in files.
#ifndef GZ_CLI_INPUT_CONFIGURATION_H
#define GZ_CLI_INPUT_CONFIGURATION_H

#include "cli/argument.h"
#include "graze/graze.h"

/// Base coordinates as columns: base_x base_y base_z base_roll base_pitch base_yaw.
#define GZ_BASE_SIZE 6

/// The place of a column "time", of files that may have one, and what the place of a derivative is
/// more than that of its column, for each order.
enum { GZ_TIME_PLACE = -1 - GZ_BASE_SIZE, GZ_ORDER_PLACES = 1 << 24, GZ_ORDER_COUNT = 3 };

/// Where the numbers of a row go: to a column of q (0 and above), or to base coordinate -1 - place.
typedef struct gz_columns {
    int32_t *places;
    size_t count, capacity;
    bool timed; ///< a column may be "time", or "NAME velocity" or "NAME acceleration" of another
} gz_columns;

/// The order of a place: 0, of velocities 1, of accelerations 2.
static inline int gz_place_order(int32_t place) {
    return (place + GZ_ORDER_PLACES / 2) / GZ_ORDER_PLACES;
}
/// What follows the name of a column, by its order: "", " velocity".
extern const char *const gz_order_names[GZ_ORDER_COUNT];

/// The name of a place, of order 0.
const char *gz_place_name(const graze_robot *robot, int32_t place);

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
/// The index of the column of a place; SIZE_MAX where there is none.
size_t gz_columns_find(const gz_columns *columns, int32_t place);
bool gz_columns_have_base(const gz_columns *columns);
/// The columns of a list of --joints, which may not name the base; `allowed` is what errors say may
/// stand there.
graze_status gz_columns_of_joints(gz_columns *columns, const graze_robot *robot, const char *list,
                                  const char *allowed, graze_error *error);
void gz_columns_free(gz_columns *columns);

/// Puts the numbers of an order of a row where their columns say; a time goes nowhere.
void gz_columns_scatter(const gz_columns *columns, const double *row, int order, double *q,
                        double *base);

/// 0 clipped into the limits, then --rest, then --state, and --base.
graze_status gz_posture_make(gz_posture *posture, const graze_robot *robot,
                             const gz_posture_options *options, graze_error *error);
void gz_posture_free(gz_posture *posture);

/// Reads "0.1,0.2,..." (in the order of `joints`, NULL: all of q) or "joint=0.1,other=0.2" into
/// the posture. `option` is what errors call it, e.g. "-q".
graze_status gz_posture_parse(gz_posture *posture, const graze_robot *robot, const char *joints,
                              const char *option, const char *text, graze_error *error);

/// Reads a base pose "x,y,z,r,p,y".
graze_status gz_base_parse(double base[GZ_BASE_SIZE], const char *option, const char *text,
                           graze_error *error);

/// Fills an error with the value of a joint that is outside its limits, and these.
graze_status gz_joint_limit_error(const graze_robot *robot, int32_t joint, const double *q,
                                  graze_error *error);

/// Applies a group state, NAME or GROUP/NAME.
graze_status gz_posture_apply_state(gz_posture *posture, const graze_robot *robot,
                                    const char *option, const char *name, graze_error *error);

/// What the command line says of one end of a way, nothing of it required, and the options' names.
typedef struct gz_end_options {
    const char *state, *q, *base;
    const char *state_name, *q_name, *base_name;
} gz_end_options;

/// One end: the common posture, then its state, its numbers and its base. Free it in any case.
graze_status gz_posture_make_end(gz_posture *end, const graze_robot *robot,
                                 const gz_posture_options *common, const gz_end_options *own,
                                 graze_error *error);

// ------------------------------------------------------------------------------------- files
//
// Files of configurations, read a chunk at a time: NPY (float32 or float64, one row each) and CSV
// (a header of joint names). However long the file, memory holds one chunk.

/// Bytes of a file, a block at a time. A read that would wait can be seen coming, so that a program
/// at the other end of a pipe gets its answers before it writes more.
typedef struct gz_byte_source {
    int fd;
    bool regular, at_end, can_wait; ///< can_wait: a pipe or terminal
    uint64_t size;                  ///< of a regular file
    uint64_t taken;                 ///< bytes read from it so far
    const char *name;               ///< as errors call it
    char *buffer;
    size_t begin, end, capacity;
} gz_byte_source;

/// Opens a file for reading; "-" is standard input.
graze_status gz_byte_source_open(gz_byte_source *source, const char *path, graze_error *error);
/// Makes at least `wanted` bytes available at buffer + begin, fewer only at the end of the file.
graze_status gz_byte_source_fill(gz_byte_source *source, size_t wanted, graze_error *error);
/// Whether the next read would wait for somebody to write.
bool gz_byte_source_would_wait(const gz_byte_source *source);

typedef struct gz_configuration_file {
    gz_byte_source source;
    const graze_robot *robot;
    gz_columns columns;
    const gz_posture *rest; ///< what rows do not say
    bool is_npy;
    size_t item_size;   ///< NPY: 4 or 8 bytes
    uint64_t row_count; ///< NPY: rows that the header promises
    uint64_t rows_read; ///< so far
    int32_t line;       ///< CSV: of the line that was read last, 1-based
    double *row;        ///< one row as in the file
} gz_configuration_file;

/// Opens a file; "-" is standard input. NPY is known by its first bytes or the ending .npy;
/// everything else is CSV. `joints` (NULL: all of q, or the base's six and all of q) names the
/// columns of an NPY. Errors: ARGUMENT for a wrong `joints`; else with their place in the file.
/// `rest` and `robot` must outlive the file. Close it also after a failure.
graze_status gz_configuration_file_open(gz_configuration_file *file, const char *path,
                                        const graze_robot *robot, const char *joints,
                                        const gz_posture *rest, graze_error *error);

/// gz_configuration_file_open() of a file that may have a column "time", and derivatives by it.
graze_status gz_configuration_file_open_timed(gz_configuration_file *file, const char *path,
                                              const graze_robot *robot, const char *joints,
                                              const gz_posture *rest, graze_error *error);
/// The time of the row that was read last; NaN where the file has none.
double gz_configuration_file_time(const gz_configuration_file *file);
/// The derivatives of an order of the row that was read last; 0 where the file has none.
void gz_configuration_file_derivatives(const gz_configuration_file *file, int order, double *q,
                                       double *base);

/// Reads up to `rows` rows into q (rows of rest->size) and base (rows of 6). *count rows are good
/// also when an error is returned: what lies before it in the file. *count is 0 at the end only.
graze_status gz_configuration_file_read(gz_configuration_file *file, size_t rows, double *q,
                                        double *base, size_t *count, graze_error *error);

/// How much of the file is read, 0 to 1; -1 where its length is unknown.
double gz_configuration_file_fraction(const gz_configuration_file *file);

void gz_configuration_file_close(gz_configuration_file *file);

// The two formats, for gz_configuration_file_open() and _read() alone.
graze_status gz_npy_open(gz_configuration_file *file, const char *joints, graze_error *error);
graze_status gz_npy_read_row(gz_configuration_file *file, bool *end, graze_error *error);
graze_status gz_csv_open(gz_configuration_file *file, graze_error *error);
graze_status gz_csv_read_row(gz_configuration_file *file, bool *end, graze_error *error);

/// Reads an NPY file of pairs of whole numbers from 0 to limit - 1, one at least.
/// @param pairs [out] two numbers for each; free with gz_free()
graze_status gz_npy_read_pairs(const char *path, uint64_t limit, uint32_t **pairs, size_t *count,
                               graze_error *error);

#endif
