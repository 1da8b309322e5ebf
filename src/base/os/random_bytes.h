/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_RANDOM_BYTES_H
#define WPERF_BASE_OS_RANDOM_BYTES_H

/** Random bytes of the operating system, for unique names. */

#include "base/error.h"

#include <stddef.h>

/** @size: up to 256. */
struct error *random_bytes_fill(void *bytes, size_t size);

#endif
