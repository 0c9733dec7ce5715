/// The rules about files whose look at the content is in file_rules.c.
#ifndef GZ_LINT_ASSET_RULES_H
#define GZ_LINT_ASSET_RULES_H

#include "lint/lint.h"

void gz_lint_check_profiles(gz_lint_context *context, const gz_lint_rule *rule);          // A006
void gz_lint_check_unit_names(gz_lint_context *context, const gz_lint_rule *rule);        // A007
void gz_lint_check_solid_headers(gz_lint_context *context, const gz_lint_rule *rule);     // A010
void gz_lint_check_stl_lengths(gz_lint_context *context, const gz_lint_rule *rule);       // A011
void gz_lint_check_unused(gz_lint_context *context, const gz_lint_rule *rule);            // A012
void gz_lint_check_broken_references(gz_lint_context *context, const gz_lint_rule *rule); // A013
void gz_lint_check_formats(gz_lint_context *context, const gz_lint_rule *rule);           // A014
void gz_lint_check_file_names(gz_lint_context *context, const gz_lint_rule *rule);        // A015

#endif
