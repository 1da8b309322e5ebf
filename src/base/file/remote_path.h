/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_REMOTE_PATH_H
#define WPERF_BASE_FILE_REMOTE_PATH_H

#include <stdbool.h>

/**
 * Could Windows contact another machine to open this path? "\\host\share\a.dll" with any mixture of
 * both slashes, and names of devices ("\\?\UNC\...", "\??\UNC\...", "\\.\pipe\a"). Only a drive may
 * follow "\\?\" and "\??\": "\\?\C:\a.dll" is local. Merely opening such a path sends the user's
 * name and a hash of the password there. On Linux these are ordinary local paths.
 */
bool path_is_remote(const char *path);

#endif
