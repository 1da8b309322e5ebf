/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SETUP_VALUE_PLACES_H
#define WPERF_SESSION_SETUP_VALUE_PLACES_H

/** Where the values of a probe are: from the words of -e to what a BPF program reads. */

#include "catalog/linux/probe_point.h"
#include "object/object.h"
#include "source/bpf/value_maps.h"

/** A place that was found. */
struct value_search {
	const char *event;               /* for errors */
	const struct probe_point *point; /* with values */
	const char *arguments;           /* of a static probe, as its note has them; else NULL */
	enum object_machine machine;
	bool is_inside; /* of a function, so that its arguments may be gone */
};

/** This machine. */
enum object_machine value_places_machine(void);

/** @ret: without event and period. */
struct error *value_places_find(const struct value_search *search, struct value_probe *ret);

#endif
