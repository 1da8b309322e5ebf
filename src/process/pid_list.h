/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_PID_LIST_H
#define WPERF_PROCESS_PID_LIST_H

/** -p: process ids, joined by commas. */

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/** @ret: to be freed; each once. */
struct error *pid_list_parse(const char *text, uint32_t **ret, size_t *ret_num);

#endif
