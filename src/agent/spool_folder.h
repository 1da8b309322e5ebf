/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_AGENT_SPOOL_FOLDER_H
#define WPERF_AGENT_SPOOL_FOLDER_H

/** What a spool needs of its folder, and systems do differently. */

#include "base/error.h"

#include <stdbool.h>

/** Held by one process at a time; the system gives it back when that ends. */
struct spool_folder_lock; /* private */

/** @path: of a file in the folder, which is created. @ret: set only on success. */
struct error *spool_folder_lock(const char *path, struct spool_folder_lock **ret);

/** Accepts NULL. */
void spool_folder_unlock(struct spool_folder_lock *lock);

/** Have its names on the disk: a file that was renamed into it survives a crash of the computer
 *  then. False, with errno. */
bool spool_folder_sync(const char *path);

#endif
