/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_PAGE_FLEET_PAGE_H
#define WPERF_VIEW_PAGE_FLEET_PAGE_H

/**
 * What a server shows of a store: a bar above a report (report_page.h), whose pickers and heat map
 * lead to other reports, and the pages without a report. The scripts are view/fleet_page/; they run
 * before those of the report, in a scope of their own.
 *
 * A page asks for nothing while it is shown: what is chosen in the bar is an address, for which the
 * server makes another page. Names come from outside and are data only.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct fleet_page_label {
	const char *key, *value;
};

/** What is shown, or compared with. Times are nanoseconds since 1970. */
struct fleet_page_choice {
	const char *service;
	const char *event; /* NULL: all */
	const struct fleet_page_label *labels;
	size_t num_labels;
	const char *since, *until; /* the address has them; NULL: it has none */
	bool is_by_host;
	uint64_t from_ns, until_ns;
};

/** What steps of time weigh, without gaps. */
struct fleet_page_heat {
	const char *event, *unit;
	uint64_t start_ns, step_ns;
	const uint64_t *weights;
	size_t num_steps;
};

/** What steps of time weigh on one host. */
struct fleet_page_host {
	const char *name;
	const uint64_t *weights;
};

/** A row for each host, all of the same steps. */
struct fleet_page_hosts {
	const char *event, *unit;
	uint64_t start_ns, step_ns;
	size_t num_steps;
	struct fleet_page_host *hosts;
	size_t num_hosts;
	size_t num_left_out; /* there are more than a page should have */
};

struct fleet_page_event {
	const char *name, *unit;
	uint64_t first_ns, end_ns;
};

struct fleet_page_service {
	const char *name;
	const struct fleet_page_event *events;
	size_t num_events;
	uint64_t num_batches, num_dropped, num_lost;
	const struct fleet_page_heat *heat; /* of the page of all services; or NULL */
};

struct fleet_page_bar {
	struct fleet_page_choice choice;
	const struct fleet_page_label *labels; /* of the service: what can be chosen */
	size_t num_labels;
	const struct fleet_page_heat *heat;   /* NULL: none is drawn */
	const struct fleet_page_hosts *hosts; /* drawn in the place of the heat; or NULL */
};

struct fleet_page {
	uint64_t now_ns;
	const struct fleet_page_service *services;
	size_t num_services;
	uint64_t heat_until_ns;            /* of the services' heat */
	const struct fleet_page_bar *bars; /* none: all services are shown */
	size_t num_bars;                   /* 2: a comparison with the second one */
	const char *problem; /* why there is no report; NULL: there is one, or needs to be none */
	const char *hint;    /* what to do about it; or NULL */
};

/** A page without a report. @name: of the stream, for messages. */
struct error *fleet_page_write(FILE *stream, const char *name, const struct fleet_page *page);

/** For report_page.c: styles, and the bar as the first thing in the body. */
void fleet_page_write_styles(FILE *stream);
struct error *fleet_page_write_bar(FILE *stream, const char *name, const struct fleet_page *page);

#endif
