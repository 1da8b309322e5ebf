/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_LIBRARY_LIBRARY_SESSION_H
#define WPERF_LIBRARY_LIBRARY_SESSION_H

/** What the other parts of the library need of a session. */

#include "base/error.h"
#include "library/wperf.h"
#include "session/session.h"
#include "session/session_listing.h"

struct wperf_session {
	struct session session;
	struct session_listing listing; /* of all that can be counted */
	struct string_builder notes;
	bool has_default_source; /* the caller named none */
	/** A count or a sampling has the source for itself; there is one at a time. */
	bool is_busy;
};

/** The caller gets the source until library_session_release(); an error if somebody has it. */
struct error *library_session_take(struct wperf_session *session);
void library_session_release(struct wperf_session *session);

#endif
