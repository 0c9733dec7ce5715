#include "base/memory.h"
#include "load/world/world_file.h"

graze_status gz_world_load_mesh(gz_world_load *load) {
    gz_soup *soup;
    graze_status status = gz_mesh_file_read(&soup, load->path, NULL, load->options, &load->budget,
                                            &load->warnings, load->error);
    if (status) return status;
    char *name = gz_world_load_base_name(load->path);
    if (!name) {
        gz_soup_free(soup);
        return gz_fail_memory(load->error);
    }
    const gz_origin origin = {.file = load->path, .uri = load->path};
    status = gz_world_add_soup(load->world, name, soup, NULL, &origin, load->error);
    gz_free(name);
    return status;
}
