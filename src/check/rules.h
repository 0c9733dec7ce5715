/// How does every link and object count: as a solid, as a surface, with caps?
#ifndef GZ_CHECK_RULES_H
#define GZ_CHECK_RULES_H

#include "check/checker.h"

/// Whether a number is one of the enumerators.
bool gz_policy_is_known(graze_policy policy);

/// Fills link_policies and object_policies: the checker's own policy, or that of the entry of
/// options->policies that names the link or object. A name that both a link and an object have
/// means the link. Errors name the entry: GRAZE_ERROR_ARGUMENT for a name that nothing has, for a
/// policy that is no enumerator, for two policies of one name, for NULL; GRAZE_ERROR_NO_MEMORY.
/// What was allocated belongs to the checker in any case.
graze_status gz_policies_make(graze_checker *checker, const graze_checker_options *options,
                              graze_error *error);

/// The rules of a checker by name, kept so that they can be applied to another version of its
/// world.

/// Options with copies of all that they point to.
typedef struct gz_rule_set {
    graze_checker_options options;
    size_t idle;  ///< entries that were left out
    void *memory; ///< of the lists and their names
} gz_rule_set;

/// Copies options, which have been found good; with a robot without the entries that name what is
/// neither a link of it nor an object of the world. NULL when out of memory.
gz_rule_set *gz_rule_set_create(const graze_checker_options *options, const graze_robot *robot,
                                const graze_world *world);
/// NULL is allowed.
void gz_rule_set_free(gz_rule_set *set);

#endif
