/// How does every link and object count: as a solid, as a surface, with caps?
#ifndef GZ_CHECK_POLICY_H
#define GZ_CHECK_POLICY_H

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

#endif
