/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_ABSENT_SOURCE_H
#define WPERF_CLI_ABSENT_SOURCE_H

/** The source that is taken if none is named, where it cannot be used: no driver, or not for us. */

#include <stdbool.h>

struct error;
struct options;
struct session;

/** Why it cannot sample here; NULL if it can, or another one was named. */
struct error *absent_source_reason(const struct options *options);

/**
 * Did a command that describes something fail for this reason, and do people do without it?
 * Programs (--json, --compat) do not: they would take the output for that of a driver. True if so;
 * then it was said on standard error.
 * @what: words in front, about what is described instead.
 * @hint: or NULL for that of the reason.
 */
bool absent_source_is_fine(const struct options *options, const struct error *failure,
			   const char *what, const char *hint);

/** A note that threads are sampled on a timer instead, where the timer sees native code, too. */
void absent_source_name_timer(const struct options *options);

/** open_catalogue_session() with the source that looks at threads from time to time. */
struct error *absent_source_open_timer(const struct options *options, struct session *session);

#endif
