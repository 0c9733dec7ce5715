/// Feeds every input of the corpora to its target, without a fuzzer: what was found stays found.
///
///     fuzz_replay tests/fuzz/corpus           every target, from TARGET_seed_corpus.zip
///     fuzz_replay tests/fuzz/corpus urdf      one of them
///     fuzz_replay --input urdf FILE...        some files, as libFuzzer's targets take them
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

#include "fuzz/fuzz.h"

// Each target is compiled with its entry point under its own name.
typedef int entry_point(const uint8_t *data, size_t size);
entry_point fuzz_api_calls, fuzz_collada, fuzz_compiled, fuzz_configurations, fuzz_importer,
    fuzz_lint, fuzz_moveit_scene, fuzz_obj_ply_gltf, fuzz_planar_scene, fuzz_points,
    fuzz_robot_mutation, fuzz_srdf, fuzz_srdf_review, fuzz_stl, fuzz_trajectory, fuzz_urdf,
    fuzz_verify_dump, fuzz_world_json, fuzz_world_urdf, fuzz_world_yaml;

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
    {"srdf_review", fuzz_srdf_review},
    {"stl", fuzz_stl},
    {"trajectory", fuzz_trajectory},
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

/// Runs one input of an archive, in memory of exactly its size.
static void run_entry(const target *t, zip_t *archive, zip_uint64_t index) {
    zip_stat_t about;
    zip_file_t *file = zip_fopen_index(archive, index, 0);
    uint8_t *bytes = NULL;
    if (file && zip_stat_index(archive, index, 0, &about) == 0)
        bytes = malloc(about.size ? about.size : 1);
    if (!bytes || zip_fread(file, bytes, about.size) != (zip_int64_t)about.size) {
        fprintf(stderr, "%s, entry %llu: %s\n", t->name, (unsigned long long)index,
                zip_strerror(archive));
        exit(2);
    }
    zip_fclose(file);
    t->run(bytes, about.size);
    free(bytes);
}

/// Returns the number of inputs run; 0 where there is no archive.
static int run_archive(const target *t, const char *corpus) {
    char path[2048];
    snprintf(path, sizeof path, "%s/%s_seed_corpus.zip", corpus, t->name);
    zip_t *archive = zip_open(path, ZIP_RDONLY, NULL);
    if (!archive) return 0;
    zip_int64_t count = zip_get_num_entries(archive, 0);
    for (zip_int64_t i = 0; i < count; i++) run_entry(t, archive, (zip_uint64_t)i);
    zip_discard(archive);
    return (int)count;
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
        int files = run_archive(&targets[i], argv[1]);
        printf("%-16s %d inputs\n", targets[i].name, files);
        without += files == 0; // a corpus that is not there tests nothing
    }
    return without ? 1 : 0;
}
