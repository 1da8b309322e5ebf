/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_MAP_HANDLE_H
#define WPERF_BASE_FILE_FILE_MAP_HANDLE_H

#include "base/file/file_map.h"

/** As file_map_open(), of a file that is open on Windows; it stays the caller's. @path: for
 *  errors. */
struct error *file_map_of_handle(struct file_map *map, void *handle, const char *path);

#endif
