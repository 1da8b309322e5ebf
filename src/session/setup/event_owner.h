/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_EVENT_OWNER_H
#define WPERF_SESSION_EVENT_OWNER_H

/** The source that is meant by the events that the user names. */

#include "base/error.h"
#include "session/setup/sample_setup.h"
#include "source/source.h"

/**
 * @named: the source that the user chose; NULL or "": none.
 * @ret: NULL: the events do not tell (source_traits.own_events), or a source was named. An error if
 *       some events are of a source that the others are not of.
 */
struct error *event_owner_find(const char *named, const struct sample_request *asked,
			       const struct source_ops **ret);

#endif
