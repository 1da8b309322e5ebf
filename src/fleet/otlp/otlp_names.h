/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_NAMES_H
#define WPERF_FLEET_OTLP_OTLP_NAMES_H

/** What entries of a request's dictionary become in the profile of one batch: strings, modules,
 *  functions, frames and stacks. Each is looked at once for each batch. */

#include "fleet/otlp/otlp_tables.h"
#include "profile/named_profile.h"

struct otlp_names {
	struct otlp_tables *tables;
	struct named_profile *profile; /* of the batch */
	uint32_t batch;                /* its number, from 1 on */
	/** Frames of locations: their number, then the frames, the innermost first. */
	uint32_t *frames;
	size_t num_frames, cap_frames;
	/** The locations of the stack that is read. */
	uint32_t *locations;
	size_t num_locations, cap_locations;
	/** A word of profile.frame.type for interpreted code; "": there was none. */
	char language[32];
	bool has_all_stacks;
	/** Builds of one path are modules of their own, for a store. */
	bool keeps_builds;
};

#define OTLP_NAMES_INIT \
	{               \
	}

/** Go on with another batch. */
void otlp_names_begin(struct otlp_names *names, struct otlp_tables *tables,
		      struct named_profile *profile);
void otlp_names_deinit(struct otlp_names *names);

/** A string of the table, or the text of an attribute (0: it has none), in the profile. */
struct error *otlp_names_string(struct otlp_names *names, uint64_t number, uint32_t *ret);
struct error *otlp_names_text(struct otlp_names *names, struct otlp_value *value, uint32_t *ret);

/** All frames of the table, in its order: whether a stack has them or not. */
struct error *otlp_names_all_frames(struct otlp_names *names);

/** All stacks of the table, in its order, once for a batch. */
struct error *otlp_names_all_stacks(struct otlp_names *names);

/** A stack of the table, in the profile. */
struct error *otlp_names_stack(struct otlp_names *names, uint64_t number, uint32_t *ret);

/** Attributes that something refers to: calls @take for each. */
typedef struct error *(*otlp_take_fn)(void *data, struct otlp_names *names,
				      struct otlp_attribute *attribute);
struct error *otlp_names_attribute(struct otlp_names *names, uint64_t number, otlp_take_fn take,
				   void *data);
struct error *otlp_names_attributes(struct otlp_names *names, struct reader numbers,
				    otlp_take_fn take, void *data);

#endif
