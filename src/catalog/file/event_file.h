/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FILE_EVENT_FILE_H
#define WPERF_CATALOG_FILE_EVENT_FILE_H

/** -e @FILE: the words of -e from a file, for those who have more than a command line takes. */

#include "base/error.h"

/** @spec: "@FILE", or words, which stay as they are. @ret: to be freed. */
struct error *event_file_expand(const char *spec, char **ret);

#endif
