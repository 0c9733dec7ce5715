/// A locale whose decimal point is a comma, for tests that numbers do not depend on it.
#ifndef GRAZE_TESTS_COMMA_LOCALE_H
#define GRAZE_TESTS_COMMA_LOCALE_H

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/load/temporary_folder.h"

static inline bool comma_locale_is_set(const char *name) {
    return setlocale(LC_ALL, name) && localeconv()->decimal_point[0] == ',';
}

/// Switches to such a locale, made in the folder if the system has none but can; false if not.
static inline bool comma_locale_set(temporary_folder *folder) {
    if (comma_locale_is_set("de_DE.UTF-8") || comma_locale_is_set("fr_FR.UTF-8")) return true;
    char command[3 * TEMPORARY_PATH_SIZE];
    snprintf(command, sizeof command,
             "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder->path);
    if (system(command) < 0) return false;
    setenv("LOCPATH", folder->path, 1);
    return comma_locale_is_set("de_DE.UTF-8");
}

static inline void comma_locale_end(void) {
    setlocale(LC_ALL, "C");
    unsetenv("LOCPATH");
}

#endif
