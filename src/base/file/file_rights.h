/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FILE_RIGHTS_H
#define WPERF_BASE_FILE_FILE_RIGHTS_H

/**
 * Whose rights a file is opened with, and from which root folder on. Root may read everything, but
 * must not do so because a program of somebody else names it: a link "app.py" to /etc/shadow would
 * put the latter into a table. Other users have only their own rights, and Windows does not change
 * any. A root folder counts for all users.
 */

#include "base/error.h"
#include "base/file/file_root.h"

#include <stdbool.h>
#include <stdint.h>

enum { FILE_RIGHTS_MAX_GROUPS = 32 };

struct file_rights {
	/** False: it is not known whose program named the file. Then who called wperf by sudo may
	 *  read it, and without sudo everybody. */
	bool is_known;
	uint32_t user, group;
	uint32_t groups[FILE_RIGHTS_MAX_GROUPS]; /* besides; further ones do not count */
	uint32_t num_groups;
	const struct file_root *root; /* that paths begin at; NULL: our own */
};

bool file_rights_are_same(const struct file_rights *a, const struct file_rights *b);

/** Of root, with more rights than those of the profiled programs? */
bool file_rights_matter(void);

/** To be ended with file_rights_end(); private. */
struct file_rights_scope {
	bool is_changed;
	uint32_t user, group;
	uint32_t *groups;
	int num_groups;
};

/** Until the end, files are opened by this thread with these rights. NULL: with our own. */
struct error *file_rights_begin(const struct file_rights *rights, struct file_rights_scope *scope);

/** Safe on a scope that is all 0, and twice. */
void file_rights_end(struct file_rights_scope *scope);

#endif
