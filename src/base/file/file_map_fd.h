/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_MAP_FD_H
#define WPERF_BASE_FILE_FILE_MAP_FD_H

#include "base/file/file_map.h"

/** As file_map_open(), of a file that is open on Linux; it stays the caller's. @path: for errors.
 */
struct error *file_map_of_fd(struct file_map *map, int fd, const char *path);

#endif
