#include "cli/plan/path_writer.h"

#include "cli/message.h"

static int write_path(const gz_path_output *o, const graze_checker *checker,
                      const graze_plan_result *result) {
    gz_output output;
    int status = gz_output_open(&output, o->file);
    if (status != GZ_EXIT_FINE) return status;
    if (o->json) {
        gz_path_write_json(output.stream, checker, result);
    } else {
        gz_path_write_csv(output.stream, graze_checker_robot(checker), result->path);
    }
    return gz_output_finish(&output);
}

int gz_path_output_write(const gz_path_output *o, const graze_checker *checker,
                         const graze_plan_result *result) {
    if (o->dump == NULL || result->path == NULL) return write_path(o, checker, result);
    gz_path_dump dump = {.file = o->dump,
                         .checker = checker,
                         .path = result->path,
                         .resolution = o->resolution,
                         .domain = o->domain,
                         .no_world = o->no_world};
    int status = gz_path_dump_write(&dump);
    if (status != GZ_EXIT_FINE) return status;
    status = write_path(o, checker, result);
    int finished = gz_path_dump_finish(&dump, status == GZ_EXIT_FINE);
    return status != GZ_EXIT_FINE ? status : finished;
}
