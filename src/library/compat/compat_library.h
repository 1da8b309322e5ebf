/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_COMPAT_COMPAT_LIBRARY_H
#define WPERF_LIBRARY_COMPAT_COMPAT_LIBRARY_H

/**
 * The one state behind the functions of wperf-lib.h, and how each of them begins and ends. One runs
 * at a time: they share the source.
 *
 *	struct session *session;
 *	struct error *err = compat_library_enter(&session);
 *	if (!err)
 *		err = ...
 *	return compat_library_leave(err);
 */

#include "base/error.h"
#include "library/compat/compat_items.h"
#include "library/compat/wperf-lib.h"
#include "session/session.h"

/** An error if there was no wperf_init(). @ret: may be NULL: then it works without. */
struct error *compat_library_enter(struct session **ret);

/** The error becomes that of the thread. True: there was none. */
bool compat_library_leave(struct error *err);

/** Names of files that are written are printed. */
bool compat_library_is_verbose(void);

/**
 * What every generator does with its second argument: an item, if there is a place for it.
 * @conf: of the caller; NULL is an error.
 */
bool compat_library_give(enum compat_kind kind, const void *conf, void *item);

/** A NULL where there must be none. */
struct error *compat_library_null(const char *function) __attribute__((returns_nonnull));

#endif
