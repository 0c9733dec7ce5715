/// The robots and worlds that ship.
#ifndef GZ_CLI_SHARE_H
#define GZ_CLI_SHARE_H

#include <stddef.h>

/// Finds the folder that holds urdf/ and worlds/: GRAZE_SHARE, the installed one, then that of the
/// sources. Returns an exit status; the message is printed.
int gz_share_find(char *folder, size_t size);

#endif
