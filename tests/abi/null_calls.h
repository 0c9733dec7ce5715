/// What the calls that null_calls.py writes need.
#ifndef GZ_TESTS_NULL_CALLS_H
#define GZ_TESTS_NULL_CALLS_H

#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>

#include "graze/graze.h"

extern graze_robot *h_graze_robot;
extern graze_robot_builder *h_graze_robot_builder;
extern graze_world *h_graze_world;
extern graze_checker *h_graze_checker;
extern graze_workspace *h_graze_workspace;
extern graze_rules *h_graze_rules;
extern graze_workspace_pool *h_graze_workspace_pool;
extern graze_mesh *h_graze_mesh;
extern graze_path *h_graze_path;
extern graze_matrix *h_graze_matrix;
extern graze_matrix_review *h_graze_matrix_review;
extern graze_lint_report *h_graze_lint_report;
extern graze_compiled *h_graze_compiled;
extern graze_mesh_report *h_graze_mesh_report;
extern graze_planar_scene *h_graze_planar_scene;
extern graze_scene *h_graze_scene;
extern graze_view *h_graze_view;
extern graze_trajectory *h_graze_trajectory;
extern graze_problems *h_graze_problems;
extern graze_roadmap *h_graze_roadmap;
extern graze_roadmap_workspace *h_graze_roadmap_workspace;

/// Zeroed memory for each parameter, large enough for whatever a pointer may be to.
extern _Alignas(64) unsigned char scratch[16][16384];

extern sigjmp_buf before_call;
void note(const char *function);

/// Starts a call; false when it crashed.
#define begin(function) (note(function), sigsetjmp(before_call, 1) == 0)

/// Ends the call of a function that returns a status: an index that there is not must be refused.
void end(graze_status status, bool index_is_bad);

void call_everything(void);
extern const int function_count, call_count;

#endif
