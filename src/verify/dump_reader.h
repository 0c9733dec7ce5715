/// A dump from its file: the scene first, then its configurations, one at a time, so that memory
/// holds one however long the file.
#ifndef GZ_VERIFY_DUMP_READER_H
#define GZ_VERIFY_DUMP_READER_H

#include "verify/dump_reader.h"
#include "verify/dump_text.h"

/// Reads everything up to the first configuration. The scene starts zeroed and is to be freed also
/// after a failure.
graze_status gz_dump_read_scene(gz_dump_text *text, gz_dump_scene *scene);

/// Reads the next configuration over the last one (zeroed at first). *end is set, and nothing read,
/// where the file says that it ends, and ends.
graze_status gz_dump_read_configuration(gz_dump_text *text, const gz_dump_scene *scene,
                                        uint64_t count, gz_dump_configuration *configuration,
                                        bool *end);

// dump_parts.c: the lines about links, objects and pairs, for gz_dump_read_scene() alone.
graze_status gz_dump_read_parts(gz_dump_text *text, gz_dump_scene *scene);
graze_status gz_dump_read_pairs(gz_dump_text *text, gz_dump_scene *scene);

#endif
