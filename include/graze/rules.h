/// @file rules.h
/// Rules by call: which pairs count, and at which margins, from one check to the next, without
/// another checker.
///
/// Rules are made for a checker, begin as its own, and are changed in place; a check is given them.
/// All that they say is by index. What a check under rules answers is what a new checker answers
/// whose options and SRDF say the same, bit for bit (but for which pair GRAZE_ANSWER_ANY names and
/// for counters of work).
///
/// A matrix of bits says which pairs are checked: 0 hides a pair that the checker checks (it is
/// allowed to touch), 1 requires one that the checker hides, whatever hides it: adjacent links, the
/// SRDF, an allowed pair, a touch link. Only the boundary, `no_self` and `no_world` are the
/// checker's alone. Row `a` of the links' matrix has a bit for every link, row `a` of the objects'
/// matrix one for every object of the world: bit `b % 64` of word `b / 64`; the links' matrix is
/// symmetric. Bits of pairs that do not exist (a link with itself, links without collision
/// geometry) are 0.
///
/// Hiding costs next to nothing. Pairs that are required, or have a margin of their own, are tested
/// one by one beside the float filter, which knows the checker's pairs and margins: each costs a
/// test of the two links in double, some 0.5 us where they are apart and 10 us where adjacent links
/// interlock.
#ifndef GRAZE_RULES_H
#define GRAZE_RULES_H

#include "check.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Makes rules that say what the checker says.
/// @param out [out] NULL on failure; free with graze_rules_free(), before the checker
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL); GRAZE_ERROR_UNSUPPORTED (a checker of
///         GRAZE_LEVEL_BOUNDS); GRAZE_ERROR_NO_MEMORY
/// They are of this checker, and of no version of it; of a checker of a scene (scene.h) of the
/// version that a view holds: later they are refused. Checks on any number of threads may read the
/// same rules while nobody changes them. Any thread. Allocates links (links + objects) / 4 bytes.
/// Cost: O(links (links + objects) / 64 + pairs). Nullable: error.
GRAZE_API graze_status graze_rules_create(graze_rules **out, const graze_checker *checker,
                                          graze_error *error);

/// Frees rules; NULL is allowed. Any thread, while no check uses them. Allocates nothing. Cost:
/// O(1).
GRAZE_API void graze_rules_free(graze_rules *rules);

/// Makes rules say what the checker says, again. NULL is allowed. One thread. Allocates nothing.
/// Cost: O(links (links + objects) / 64).
GRAZE_API void graze_rules_reset(graze_rules *rules);

/// Says whether a pair is checked.
/// @param kind    GRAZE_CONTACT_SELF: two links, in any order; GRAZE_CONTACT_WORLD: a link and an
///                object
/// @param link    a link
/// @param other   the other link, or the object
/// @param checked true: it is checked, whatever hides it; false: it is hidden
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, another kind, an index that is none, a link with
///         itself, to be checked without collision geometry); GRAZE_ERROR_UNSUPPORTED (to be
///         checked, and the checker's options leave out its kind); GRAZE_ERROR_NO_MEMORY
/// One thread. Nullable: error. Allocates where more pairs are required than ever before. Cost:
/// O(1); of a pair that the checker hides O(log pairs), and a test of it where no joint moves it.
GRAZE_API graze_status graze_rules_set(graze_rules *rules, graze_contact_kind kind, int32_t link,
                                       int32_t other, bool checked, graze_error *error);

/// Hides every pair without one of these links: what is left are these against each other, against
/// all other links, and against the world. Further calls hide more.
/// @param links indices of `count` links
/// @return GRAZE_OK; GRAZE_ERROR_ARGUMENT (NULL, an index that is none): nothing is hidden
/// One thread. Nullable: error; links where count is 0. Allocates nothing. Cost: O(links (links +
/// objects) / 64).
GRAZE_API graze_status graze_rules_keep_links(graze_rules *rules, const int32_t *links,
                                              size_t count, graze_error *error);

/// Takes a whole matrix.
/// @param kind  which: GRAZE_CONTACT_SELF or GRAZE_CONTACT_WORLD
/// @param bits  a row for each link, as at the head of this file. Of two links the bit in the row
///              of the lower index counts: a triangle is enough. Bits of pairs that do not exist
///              are not read
/// @param words from one row to the next: at least links / 64, or objects / 64, rounded up
/// @return as graze_rules_set(), and GRAZE_ERROR_ARGUMENT for too few words; the rules are as they
///         were where arguments are wrong, and the matrix taken in part after
///         GRAZE_ERROR_NO_MEMORY
/// One thread. Nullable: error. Allocates, and cost: as graze_rules_set() for each bit that
/// differs, and O(links (links + objects) / 64).
GRAZE_API graze_status graze_rules_assign(graze_rules *rules, graze_contact_kind kind,
                                          const uint64_t *bits, size_t words, graze_error *error);

/// Gives a pair a margin in place of the checker's; whether it is checked stays.
/// @param kind   GRAZE_CONTACT_SELF or GRAZE_CONTACT_WORLD
/// @param link   a link
/// @param other  the other link, or the object
/// @param margin metres, as in graze_pair_margin; NAN: the checker's again
/// @return as graze_rules_set(); GRAZE_ERROR_RANGE (negative, infinite, or above 0 where the error
///         of a pose has no bound)
/// One thread. Nullable: error. Allocates where more pairs have margins than ever before. Cost:
/// O(log pairs + pairs with margins), and a test of the pair where no joint moves it.
GRAZE_API graze_status graze_rules_set_margin(graze_rules *rules, graze_contact_kind kind,
                                              int32_t link, int32_t other, double margin,
                                              graze_error *error);

/// The matrix of the pairs that are checked, which belongs to the rules and changes with them.
/// @param kind  GRAZE_CONTACT_SELF or GRAZE_CONTACT_WORLD
/// @param words [out] from one row to the next; may be NULL
/// NULL where rules are, for another kind, or where there are no rows. Any thread. Allocates
/// nothing. Cost: O(1).
GRAZE_API const uint64_t *graze_rules_matrix(const graze_rules *rules, graze_contact_kind kind,
                                             size_t *words);

/// Writes the margins that count, metres: a row for each link with a number for every link, or for
/// every object; 0 for pairs that do not exist.
/// @param kind     GRAZE_CONTACT_SELF or GRAZE_CONTACT_WORLD
/// @param margins  [out] capacity numbers, row by row; may be NULL where capacity is 0
/// @param capacity how many are wanted
/// @return how many there are
/// Any thread. Allocates nothing. Cost: O(capacity log pairs).
GRAZE_API size_t graze_rules_margins(const graze_rules *rules, graze_contact_kind kind,
                                     double *margins, size_t capacity);

/// graze_check_ruled() for a caller whose graze_report and graze_contact have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_ruled_sized(const graze_rules *rules, graze_workspace *workspace,
                                               graze_answer answer, const double *q, size_t q_count,
                                               const double *base, graze_report *report,
                                               size_t report_size, size_t contact_size,
                                               graze_error *error);

/// graze_check() under rules in place of those of their checker.
/// @param workspace of the rules' checker; it keeps nothing of them
/// @return as graze_check()
/// Allocates nothing. One thread per workspace. Nullable: base, error. Cost: that of graze_check(),
/// less for what is hidden, more for what is required or has a margin of its own.
static inline graze_status graze_check_ruled(const graze_rules *rules, graze_workspace *workspace,
                                             graze_answer answer, const double *q, size_t q_count,
                                             const double *base, graze_report *report,
                                             graze_error *error) {
    return graze_check_ruled_sized(rules, workspace, answer, q, q_count, base, report,
                                   sizeof *report, sizeof(graze_contact), error);
}

/// graze_check_posed_ruled() for a caller whose graze_report and graze_contact have these sizes.
/// @return as there. One thread per workspace. Allocates nothing. Cost: as there.
GRAZE_API graze_status graze_check_posed_ruled_sized(
    const graze_rules *rules, graze_workspace *workspace, graze_answer answer,
    const graze_transform *links, size_t link_count, graze_report *report, size_t report_size,
    size_t contact_size, graze_error *error);

/// graze_check_posed() under rules, as graze_check_ruled().
/// @return as graze_check_posed()
/// Allocates nothing. One thread per workspace. Nullable: error. Cost: as graze_check_ruled().
static inline graze_status graze_check_posed_ruled(const graze_rules *rules,
                                                   graze_workspace *workspace, graze_answer answer,
                                                   const graze_transform *links, size_t link_count,
                                                   graze_report *report, graze_error *error) {
    return graze_check_posed_ruled_sized(rules, workspace, answer, links, link_count, report,
                                         sizeof *report, sizeof(graze_contact), error);
}

/// graze_check_explain() under rules. Pairs that they hide come among the allowed ones, with the
/// reason "allowed" unless the checker has one.
/// @return as graze_check_explain()
/// One thread per workspace. Nullable: base, error. Allocates nothing. Cost: every pair is tested.
GRAZE_API graze_status graze_check_explain_ruled(
    const graze_rules *rules, graze_workspace *workspace, const double *q, size_t q_count,
    const double *base, bool (*each)(const graze_explanation *explanation, void *user), void *user,
    graze_error *error);

#ifdef __cplusplus
}
#endif

#endif
