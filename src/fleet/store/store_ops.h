/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_STORE_STORE_OPS_H
#define WPERF_FLEET_STORE_STORE_OPS_H

/**
 * Where the batches of a fleet are kept: one interface for all engines, which give equal answers.
 *
 * To add an engine: 1) a folder here with a `const struct store_ops`, 2) its row in stores.c,
 * 3) its library in docs/dependencies.md; tests/unit/fleet/test_store.c has what it must answer.
 *
 * What an answer is made of:
 * - A batch has windows: its sums of one event. A window is in a range of time if its start is.
 * - The service of a batch is its label "service.name"; "" if it has none.
 * - Once an hour is over, roll_up() sums up its windows. Where retain() has dropped the windows,
 *   answers are made of these sums: a range then has the whole hours that begin in it.
 * - Stacks keep frames, the state of the GIL, and whether the thread was the idle task. Other
 *   threads, CPUs and times of single samples are not kept.
 */

#include "base/container/arena.h"
#include "base/container/string_table.h"
#include "base/error.h"
#include "fleet/fleet_batch.h"
#include "fleet/store/store_patience.h"
#include "profile/named_profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STORE_SECOND_NS = 1000000000 };
#define STORE_HOUR_NS (3600 * (uint64_t)STORE_SECOND_NS)
#define STORE_DAY_NS  (24 * STORE_HOUR_NS)

/** Times are below this: the year 2262. */
#define STORE_MAX_NS ((uint64_t)INT64_MAX)

enum store_access {
	STORE_READ,  /* only query, list and heat */
	STORE_WRITE, /* it must exist */
	STORE_CREATE,
	STORE_INIT, /* as STORE_CREATE, and also where that is left to one who is asked to */
};

struct store_put_result {
	size_t num_stored;
	size_t num_known;   /* had been stored before, by their ids */
	size_t num_too_old; /* of a time whose windows retain() has dropped: refused */
};

/** What is wanted; NULL and 0 in a member: all. */
struct store_query {
	const char *service, *event;
	const struct fleet_label *labels; /* each must be there: a host is "host.name" */
	size_t num_labels;
	uint64_t from_ns, until_ns; /* from <= start < until; until 0: no end */
	/** Samples have the times of steps of this length, counted from 1970; 0: no times. */
	uint64_t step_ns;
	/** Builds of one path are modules of their own (named_profile_build()), whose frames keep
	 *  their addresses: for who names them, and joins the builds then. */
	bool keeps_builds;
};

/** An event of a service. Its times are from the first window to the end of the last. */
struct store_listed_event {
	const char *service, *event, *unit;
	uint64_t first_ns, end_ns;
};

struct store_listed_label {
	const char *service, *key, *value;
};

struct store_listed_service {
	const char *service;
	uint64_t num_batches; /* that have not been dropped by retain() */
	uint64_t num_dropped; /* batches that agents dropped before they sent these */
	uint64_t num_lost;    /* samples that were lost when these were recorded */
};

/** All sorted by names. */
struct store_listing {
	struct arena arena; /* has all texts */
	struct store_listed_service *services;
	struct store_listed_event *events;
	struct store_listed_label *labels;
	size_t num_services, cap_services, num_events, cap_events, num_labels, cap_labels;
};

/** Sums of the steps of a query, from the one that has start_ns on. */
struct store_heat {
	uint64_t start_ns, step_ns;
	struct named_total *sums;
	size_t num_sums, cap_sums;
};

/** Values of a label from @first to @last, in the order of their bytes. */
struct store_label_range {
	const char *key, *first, *last;
};

/** A heat map for each value of a label. */
struct store_heats {
	struct string_table values;
	struct store_heat *heats; /* by the ids of the values */
	size_t num_heats, cap_heats;
	uint64_t step_ns;
};

struct store;

struct store_ops {
	const char *name;       /* in front of the place: "sqlite" of "sqlite:fleet.db" */
	const char *place_form; /* what follows the name and ':', for messages: "FILE" */

	bool uses_network; /* to reach the store: a reader of it may not give up the network */

	/** @place: what stands behind the name. @ret: set only on success; freed by close(). */
	struct error *(*open)(const char *place, enum store_access access, struct store **ret);

	/**
	 * Give the secret that opens it, before anything is asked for. NULL: it takes none.
	 * @token: printable ASCII; is copied.
	 */
	struct error *(*authorize)(struct store *store, const char *token);

	/**
	 * All or none of them; they are on the disk when it returns. A batch whose id is there
	 * already changes nothing. One without an id is always a new one.
	 */
	struct error *(*put)(struct store *store, const struct fleet_batch *const *batches,
			     size_t num_batches, struct store_put_result *ret);

	/**
	 * Samples of one event and stack are one. Each service is a "thread" of the profile.
	 * They are in the order of profile_order_apply(), and frames and stacks in that of their
	 * numbers in the store. Weights are summed; the period of an event is 0 if its windows have
	 * different ones.
	 * @ret: set only on success; may have no events.
	 */
	struct error *(*query)(struct store *store, const struct store_query *query,
			       struct named_profile *ret);

	/** @ret: set only on success; store_listing_deinit(). */
	struct error *(*list)(struct store *store, struct store_listing *ret);

	/** @query: must have a service or event with one unit to make sense; a step_ns of 0 is
	 *  refused. @ret: set only on success; store_heat_deinit(). */
	struct error *(*heat)(struct store *store, const struct store_query *query,
			      struct store_heat *ret);

	/** As heat() of each value of the label, in one reading. Values without samples have none.
	 *  @ret: set only on success; store_heats_deinit(). NULL: the engine cannot, as it is not
	 *  one that `wperf serve` keeps batches in. */
	struct error *(*heats)(struct store *store, const struct store_query *query,
			       const struct store_label_range *label, struct store_heats *ret);

	/** For all that is asked from now on, in the same thread: what would take longer ends with
	 * an error of store_patience_error(). NULL: the engine cannot. */
	void (*limit)(struct store *store, const struct store_patience *patience);

	/** Sum up hours that end at @until_ns or before, and have new windows. */
	struct error *(*roll_up)(struct store *store, uint64_t until_ns);

	/** Drop windows of hours that begin before @windows_ns, after summing them up, and sums of
	 *  hours before @hours_ns. */
	struct error *(*retain)(struct store *store, uint64_t windows_ns, uint64_t hours_ns);

	void (*close)(struct store *store);
};

/** Of the tables; 0: none, or the engine has no versions. */
struct store_versions {
	uint64_t before, now; /* when it was opened, and since then */
};

/** The first member of each engine's struct. */
struct store {
	const struct store_ops *ops;
	struct store_versions versions;
};

/** What retain() drops by default: windows after 14 days, sums of hours after 13 months. */
#define STORE_KEEP_WINDOWS_NS (14 * STORE_DAY_NS)
#define STORE_KEEP_HOURS_NS   (396 * STORE_DAY_NS)

/** All engines; ends with NULL. */
extern const struct store_ops *const all_stores[];

/** @place: "sqlite:fleet.db" or "http://HOST:PORT"; a path without a colon is one of SQLite. */
struct error *store_open(const char *place, enum store_access access, struct store **ret);

/** Is the store at this place reached through the network? Also NULL, and what is no place. */
bool store_uses_network(const char *place);

/** Accepts NULL. */
void store_close(struct store *store);

static inline void store_closep(struct store **store)
{
	store_close(*store);
}

void store_listing_deinit(struct store_listing *listing);
void store_heat_deinit(struct store_heat *heat);
void store_heats_deinit(struct store_heats *heats);

/** NULL: the value has no samples. */
const struct store_heat *store_heats_find(const struct store_heats *heats, const char *value);

/** Rows of a listing; texts are copied. For engines. */
struct error *store_listing_add_event(struct store_listing *listing,
				      const struct store_listed_event *event);
struct error *store_listing_add_label(struct store_listing *listing,
				      const struct store_listed_label *label);
struct error *store_listing_add_service(struct store_listing *listing,
					const struct store_listed_service *service);
/** Sort, and make equal rows one: of events the times of both. */
void store_listing_finish(struct store_listing *listing);

/** Add to the step of @start_ns. For engines: rows may come in any order. */
struct error *store_heat_add(struct store_heat *heat, uint64_t start_ns, struct named_total sum);
/** The heat of a value, to add to; valid until the next value. @value: may contain NUL. */
struct error *store_heats_get(struct store_heats *heats, const char *value, size_t length,
			      struct store_heat **ret);
/** For engines: no map without steps. */
struct error *store_heat_check(const struct store_query *query);

#endif
