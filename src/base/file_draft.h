/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_DRAFT_H
#define WPERF_BASE_FILE_DRAFT_H

/**
 * A file that is written beside its place and takes that place in one step, so that whatever goes
 * wrong before leaves the old file as it was. Pipes, devices, and files in folders that take no
 * new file are written in place.
 *
 *	_cleanup_(file_draft_deinit) struct file_draft draft = FILE_DRAFT_INIT;
 *	if (!file_draft_open(&draft, path))
 *		return error_create_errno(errno, "cannot write '%s'", path);
 *	fputs("text", draft.stream);
 *	if (!file_draft_close(&draft))
 *		return error_create_errno(errno, "cannot write '%s'", path);
 */

#include <stdbool.h>
#include <stdio.h>

struct file_draft {
	FILE *stream; /* NULL once it is closed */
	char *path;   /* from the root on, if the system says so; links are followed */
	/* private */
	char *draft; /* NULL: it is in its place */
};

#define FILE_DRAFT_INIT \
	{               \
	}

/** False, with the reason in errno: it cannot be written. */
bool file_draft_open(struct file_draft *draft, const char *path);

/** Take the place now; writing goes on. False, with errno: it stays a draft. */
bool file_draft_place(struct file_draft *draft);

/** Close it, then take the place if that has not happened. False, with errno: not all is written,
 *  and a draft is removed. */
bool file_draft_close(struct file_draft *draft);

/** A draft that did not take its place is removed. */
void file_draft_deinit(struct file_draft *draft);

#endif
