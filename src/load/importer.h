/// Scenes through a helper process that confines assimp: nothing worse than an error when assimp
/// breaks.
#ifndef GZ_LOAD_IMPORTER_H
#define GZ_LOAD_IMPORTER_H

#include "load/import_job.h"
#include "load/importer_process.h"

/// Has an importer that was started for this input read the first file of the job, and ends it.
/// Believes nothing that it says: every count is held against the budget before memory is taken
/// for it, every index and coordinate against its range.
/// @return what the importer says of the file; GRAZE_ERROR_PARSE when the importer was killed by a
///         signal, _LIMIT when it hit a limit of memory or time, _IO when it breaks the
///         rules of the exchange
graze_status gz_importer_read(gz_importer_process *process, const gz_import_job *job,
                              const gz_mesh_input *input, gz_soup *soup, graze_error *error);

#endif
