/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_DRAFT_H
#define WPERF_BASE_FILE_FILE_DRAFT_H

/**
 * A file that is written next to its place, and renamed when it is complete: if anything fails
 * before, the old file is unchanged. On Linux it has no name meanwhile where the file system allows
 * it, so that nothing is left of a process that is killed; else a temporary one. Pipes, devices,
 *and files in folders that take no new file are written in place.
 *
 *	_cleanup_(file_draft_deinit) struct file_draft draft = FILE_DRAFT_INIT;
 *	if (!file_draft_open(&draft, path))
 *		return error_create_errno(errno, "cannot write '%s'", path);
 *	fputs("text", draft.stream);
 *	return file_draft_close(&draft, path);
 *
 * Some files cannot be replaced: on Windows one that another program has open, on Linux one that is
 * a mount point. A complete draft then keeps its temporary name, and the error says so.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stdio.h>

struct file_draft {
	FILE *stream;   /* NULL once it is closed */
	char *path;     /* from the root on, if the system says so; links are followed */
	bool keeps_old; /* set by the caller: the file that is replaced becomes PATH.old */
	/* private */
	char *draft;      /* the temporary name; NULL: it is in its place */
	bool is_nameless; /* the file does not have it yet */
};

#define FILE_DRAFT_INIT \
	{               \
	}

/** False, with the reason in errno: it cannot be written. */
bool file_draft_open(struct file_draft *draft, const char *path);

/** Take the place now and go on writing. False, with errno: it is still a draft. */
bool file_draft_place(struct file_draft *draft);

/**
 * Close it, and take the place if file_draft_place() has not done so.
 * @name: of the file, in the error.
 *
 * If not everything could be written, file_draft_deinit() removes the draft. If only the place
 * could not be taken, the draft stays: the error has a hint with its name.
 */
struct error *file_draft_close(struct file_draft *draft, const char *name);

/** Close it; a draft that was not closed before is removed. */
void file_draft_deinit(struct file_draft *draft);

#endif
