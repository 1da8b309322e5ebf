/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_FILE_FOLDER_H
#define WPERF_BASE_FILE_FOLDER_H

/**
 * The names in a folder, one after the other and in no order.
 *
 *	_cleanup_(folder_closep) struct folder *folder = NULL;
 *	struct error *err = folder_open(path, &folder);
 *	...
 *	for (const char *name; (name = folder_next(folder));)
 */

#include "base/error.h"

struct folder;

struct error *folder_open(const char *path, struct folder **ret);

/** The next name, also "." and ".."; valid until the next call. NULL: there are no more. */
const char *folder_next(struct folder *folder);

/** Accepts NULL. */
void folder_close(struct folder *folder);
static inline void folder_closep(struct folder **folder)
{
	folder_close(*folder);
}

#endif
