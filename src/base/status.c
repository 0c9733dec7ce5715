#include "graze/base.h"

const char *graze_status_name(graze_status status) {
    switch (status) {
    case GRAZE_OK:
        return "ok";
    case GRAZE_ERROR_ARGUMENT:
        return "argument";
    case GRAZE_ERROR_NO_MEMORY:
        return "no-memory";
    case GRAZE_ERROR_NOT_FOUND:
        return "not-found";
    case GRAZE_ERROR_IO:
        return "io";
    case GRAZE_ERROR_PARSE:
        return "parse";
    case GRAZE_ERROR_SCHEMA:
        return "schema";
    case GRAZE_ERROR_UNSUPPORTED:
        return "unsupported";
    case GRAZE_ERROR_MESH:
        return "mesh";
    case GRAZE_ERROR_RANGE:
        return "range";
    case GRAZE_ERROR_LIMIT:
        return "limit";
    case GRAZE_ERROR_CANCELLED:
        return "cancelled";
    }
    return "unknown";
}

const char *graze_version(void) {
    return GRAZE_VERSION;
}
