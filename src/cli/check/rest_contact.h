/// Pairs of links that collide in a verdict and touch at rest, too: most are neighbours that the
/// robot's designer let overlap, and an SRDF lists them.
#ifndef GZ_CLI_CHECK_REST_CONTACT_H
#define GZ_CLI_CHECK_REST_CONTACT_H

#include "cli/check/check_output.h"

typedef struct gz_rest_contacts {
    gz_contacts contacts; ///< at rest; those behind `count` are none of two links
    bool *met;            ///< per contact: some verdict has its pair
    size_t count;
} gz_rest_contacts;

/// Finds the contacts of links with links at rest; none where the robot has an SRDF, which
/// decides on them, or where the robot at rest has no verdict. False when out of memory.
bool gz_rest_contacts_find(gz_rest_contacts *rest, const graze_checker *checker,
                           graze_workspace *workspace);
/// Takes note of a verdict's contacts.
void gz_rest_contacts_note(gz_rest_contacts *rest, const graze_contact *contacts, size_t count);
/// One line, where some verdict has such a pair: `robot` is what the command line calls it.
void gz_rest_contacts_print(FILE *stream, const gz_rest_contacts *rest,
                            const graze_checker *checker, const char *robot);
void gz_rest_contacts_free(gz_rest_contacts *rest);

#endif
