/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_GZIP_READER_H
#define WPERF_FLEET_GZIP_READER_H

/** Unpacks untrusted bytes that were compressed as gzip does: of a request or a file. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Do they begin as gzip's do? */
bool gzip_reader_is_gzip(const void *bytes, size_t size);

/**
 * More than @max_size bytes are an error, before there is memory for them; so are bytes behind the
 * end.
 * @ret: to be freed; set only on success.
 */
struct error *gzip_reader_unpack(const void *bytes, size_t size, size_t max_size, uint8_t **ret,
				 size_t *ret_size);

#endif
