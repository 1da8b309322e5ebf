/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_EXPORT_GZIP_WRITER_H
#define WPERF_VIEW_EXPORT_GZIP_WRITER_H

/**
 * Bytes into a stream, compressed as gzip does. Writing never fails visibly; gzip_writer_finish()
 * says whether all of it went well.
 */

#include "base/error.h"

#include <stddef.h>
#include <stdio.h>

struct gzip_writer; /* private */

/** @stream: not owned, must outlive the writer. @ret: set only on success. */
struct error *gzip_writer_create(FILE *stream, struct gzip_writer **ret);
void gzip_writer_destroy(struct gzip_writer *writer);

static inline void gzip_writer_destroyp(struct gzip_writer **writer)
{
	gzip_writer_destroy(*writer);
}

void gzip_writer_add(struct gzip_writer *writer, const void *bytes, size_t size);

/** End the data, once. @name: of the file, for messages. */
struct error *gzip_writer_finish(struct gzip_writer *writer, const char *name);

#endif
