/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PYTHON_PYTHON_PUBLISHED_H
#define WPERF_PYTHON_PYTHON_PUBLISHED_H

/**
 * The offsets that CPython publishes at the start of its runtime, from 3.13 on: a cookie and words
 * of 64 bits. Words are added in the middle from version to version.
 *
 * To add a version: 1) rows in python_published.c with the minor version since which they are
 * there, 2) PYTHON_NEWEST_MINOR, 3) tests/unit/test_python_published.c.
 */

#include "base/error.h"
#include "python/python_layout.h"

#include <stddef.h>
#include <stdint.h>

enum { PYTHON_PUBLISHED_MAX_BYTES = 1024 };

/**
 * @bytes: the first of the runtime, at most PYTHON_PUBLISHED_MAX_BYTES; more than there are words
 *         is fine. A version that is newer than all we know is read as the newest one.
 * @is_windows: some of what is not published differs there.
 * @ret_version: as PY_VERSION_HEX. Both are set only on success.
 */
struct error *python_published_parse(const void *bytes, size_t size, bool is_windows,
				     struct python_layout *ret, uint32_t *ret_version);

#endif
