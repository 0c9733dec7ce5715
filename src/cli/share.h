/// The robots and worlds that ship.
#ifndef GZ_CLI_SHARE_H
#define GZ_CLI_SHARE_H

#include <stddef.h>

/// Finds the folder that holds urdf/ and worlds/: GRAZE_SHARE, the one beside the program, the one
/// of the place it was built for, then that of the sources. Returns an exit status; the message is
/// printed.
int gz_share_find(char *folder, size_t size);

#endif
