/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_ABSENT_SOURCE_H
#define WPERF_SESSION_SETUP_ABSENT_SOURCE_H

/** The source that is taken if none is named, where it cannot be used: no driver, or not for us. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "session/setup/sample_setup.h"

#include <stdbool.h>

/**
 * Why it cannot sample here; NULL if it can, or another one was named.
 * @named: the source that the user chose; NULL or "": none.
 */
struct error *absent_source_reason(const char *named);

/**
 * Is this why a command failed? If so, @notes get a line for the user.
 * @named: as above.
 * @what:  words in front, about what is described instead.
 * @hint:  or NULL for that of the reason.
 */
bool absent_source_explains(const char *named, const struct error *failure, const char *what,
			    const char *hint, struct string_builder *notes);

/**
 * Is there only one way to what is asked for: threads are sampled on a timer (SOURCE_TIMER_NAME)?
 * @named: as above.
 */
bool absent_source_takes_timer(const char *named, const struct sample_request *asked);

/** A note that threads are sampled on a timer instead, where the timer sees native code, too. */
void absent_source_note_timer(struct string_builder *notes);

#endif
