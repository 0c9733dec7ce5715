/// The rules about collision geometry that take measuring: mesh_rules.c and cover_rules.c.
#ifndef GZ_LINT_MESH_RULES_H
#define GZ_LINT_MESH_RULES_H

#include "lint/lint.h"

void gz_lint_check_same_geometry(gz_lint_context *context, const gz_lint_rule *rule); // G002
void gz_lint_check_open(gz_lint_context *context, const gz_lint_rule *rule);          // G004
void gz_lint_check_winding(gz_lint_context *context, const gz_lint_rule *rule);       // G005
void gz_lint_check_triangles(gz_lint_context *context, const gz_lint_rule *rule);     // G006
void gz_lint_check_shells(gz_lint_context *context, const gz_lint_rule *rule);        // G007
void gz_lint_check_cover(gz_lint_context *context, const gz_lint_rule *rule);         // G008
void gz_lint_check_excess(gz_lint_context *context, const gz_lint_rule *rule);        // G009
void gz_lint_check_fit(gz_lint_context *context, const gz_lint_rule *rule);           // G012
void gz_lint_check_origin(gz_lint_context *context, const gz_lint_rule *rule);        // G013

#endif
