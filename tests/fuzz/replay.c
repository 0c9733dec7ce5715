/// Feeds every file of the corpus to its target, without a fuzzer: what was found stays found.
///
///     fuzz_replay tests/fuzz/corpus           every target
///     fuzz_replay tests/fuzz/corpus urdf      one of them
///     fuzz_replay --input urdf FILE...        some files, as libFuzzer's targets take them
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"

// Each target is compiled with its entry point under its own name.
typedef int entry_point(const uint8_t *data, size_t size);
entry_point fuzz_api_calls, fuzz_collada, fuzz_compiled, fuzz_configurations, fuzz_importer,
    fuzz_lint, fuzz_moveit_scene, fuzz_obj_ply_gltf, fuzz_planar_scene, fuzz_points,
    fuzz_robot_mutation, fuzz_srdf, fuzz_stl, fuzz_urdf, fuzz_verify_dump, fuzz_world_json,
    fuzz_world_urdf, fuzz_world_yaml;

typedef struct target {
    const char *name;
    entry_point *run;
} target;

static const target targets[] = {
    {"api_calls", fuzz_api_calls},
    {"collada", fuzz_collada},
    {"compiled", fuzz_compiled},
    {"configurations", fuzz_configurations},
    {"importer", fuzz_importer},
    {"lint", fuzz_lint},
    {"moveit_scene", fuzz_moveit_scene},
    {"obj_ply_gltf", fuzz_obj_ply_gltf},
    {"planar_scene", fuzz_planar_scene},
    {"points", fuzz_points},
    {"robot_mutation", fuzz_robot_mutation},
    {"srdf", fuzz_srdf},
    {"stl", fuzz_stl},
    {"urdf", fuzz_urdf},
    {"verify_dump", fuzz_verify_dump},
    {"world_json", fuzz_world_json},
    {"world_urdf", fuzz_world_urdf},
    {"world_yaml", fuzz_world_yaml},
};

enum { TARGET_COUNT = sizeof targets / sizeof *targets };

/// Reads a file into memory of exactly its size, so that a sanitizer sees a byte too many.
static uint8_t *read_whole(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) {
        perror(path);
        exit(2);
    }
    long length = ftell(file);
    rewind(file);
    *size = (size_t)length;
    uint8_t *bytes = malloc(*size ? *size : 1);
    if (length < 0 || !bytes || fread(bytes, 1, *size, file) != *size) {
        perror(path);
        exit(2);
    }
    fclose(file);
    return bytes;
}

static void run_file(const target *t, const char *path) {
    size_t size;
    uint8_t *bytes = read_whole(path, &size);
    t->run(bytes, size);
    free(bytes);
}

static int run_folder(const target *t, const char *corpus) {
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/%s", corpus, t->name);
    struct dirent **entries;
    int count = scandir(folder, &entries, NULL, alphasort), files = 0;
    if (count < 0) return 0;
    for (int i = 0; i < count; i++) {
        if (entries[i]->d_name[0] != '.') {
            snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
            run_file(t, path);
            files++;
        }
        free(entries[i]);
    }
    free(entries);
    return files;
}

static const target *find(const char *name) {
    for (size_t i = 0; i < TARGET_COUNT; i++)
        if (strcmp(targets[i].name, name) == 0) return &targets[i];
    fprintf(stderr, "'%s' is no target\n", name);
    exit(2);
}

int main(int argc, char **argv) {
    if (argc > 3 && strcmp(argv[1], "--input") == 0) {
        for (int i = 3; i < argc; i++) run_file(find(argv[2]), argv[i]);
        return 0;
    }
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: fuzz_replay CORPUS [TARGET] | --input TARGET FILE...\n");
        return 2;
    }
    int without = 0;
    for (size_t i = 0; i < TARGET_COUNT; i++) {
        if (argc == 3 && find(argv[2]) != &targets[i]) continue;
        int files = run_folder(&targets[i], argv[1]);
        printf("%-16s %d inputs\n", targets[i].name, files);
        without += files == 0; // a corpus that is not there tests nothing
    }
    return without ? 1 : 0;
}
