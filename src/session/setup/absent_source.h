/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_ABSENT_SOURCE_H
#define WPERF_SESSION_SETUP_ABSENT_SOURCE_H

/** The source that is taken if none is named, where it cannot be used: no driver, or not for us. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "session/setup/sample_setup.h"
#include "source/source.h"

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
 * The source that samples what is asked for instead: another one that can
 * (source_traits.stands_in), or the timer, where that is enough. NULL: the absent one is not
 * absent, or nothing replaces it.
 * @named: as above.
 */
const struct source_ops *absent_source_stand_in(const char *named,
						const struct sample_request *asked);

/** The same for a command that lists events: never NULL. */
const struct source_ops *absent_source_listed(void);

/** A note about the source that is taken instead, and why not a better one. */
void absent_source_note(const struct source_ops *taken, struct string_builder *notes);

#endif
