/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SESSION_LISTING_H
#define WPERF_SESSION_SESSION_LISTING_H

/** What can be counted in a session: `list` shows it, and libwperf gives it. */

#include "base/container/arena.h"
#include "base/error.h"
#include "catalog/event.h"
#include "catalog/metric.h"
#include "session/session.h"

#include <stddef.h>

enum listed_kind {
	LISTED_PMU,        /* of the tables of CPUs */
	LISTED_SYSTEM,     /* of the kernel: event_of is that of a struct system_event */
	LISTED_EXTRA,      /* of -E */
	LISTED_SPE,        /* Arm SPE itself; has no event */
	LISTED_SPE_FILTER, /* one of its filters; has no event */
};

struct listed_event {
	enum listed_kind kind;
	const char *name;          /* as it is written, with the prefix of its class */
	const char *title;         /* or NULL */
	const struct event *event; /* or NULL */
	enum event_truth truth;    /* never EVENT_ABSENT */
};

struct session_listing {
	struct listed_event *events;
	const struct metric **metrics; /* all of whose events can be counted */
	size_t num_events, cap_events, num_metrics;
	/* private */
	struct arena names;
};

#define SESSION_LISTING_INIT \
	{                    \
	}

/** @ret: valid until the session is closed or gets other events; set only on success. */
struct error *session_listing_create(const struct session *session, struct session_listing *ret);
void session_listing_deinit(struct session_listing *listing);

#endif
