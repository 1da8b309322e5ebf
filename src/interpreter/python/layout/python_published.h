/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_PUBLISHED_H
#define WPERF_INTERPRETER_PYTHON_LAYOUT_PYTHON_PUBLISHED_H

/**
 * Parses the offsets that CPython publishes at the start of its runtime since 3.13: a cookie and
 * 64-bit words. New versions insert words anywhere.
 *
 * To add a version: 1) rows in python_published.c with the first minor version that has them,
 * 2) PYTHON_NEWEST_MINOR, 3) tests/unit/interpreter/test_python_published.c.
 */

#include "base/error.h"
#include "interpreter/python/layout/python_layout.h"

#include <stddef.h>
#include <stdint.h>

enum { PYTHON_PUBLISHED_MAX_BYTES = 1024 };

/**
 * @bytes: the first bytes of the runtime, at most PYTHON_PUBLISHED_MAX_BYTES; there may be more
 * bytes than words. Newer versions are parsed as PYTHON_NEWEST_MINOR.
 * @is_windows: some offsets that are not published differ there.
 * @ret_version: PY_VERSION_HEX. Both results are set only on success.
 */
struct error *python_published_parse(const void *bytes, size_t size, bool is_windows,
				     struct python_layout *ret, uint32_t *ret_version);

#endif
