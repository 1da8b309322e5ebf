/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_DECODER_H
#define WPERF_FLEET_OTLP_OTLP_DECODER_H

/**
 * Untrusted bytes of an ExportProfilesServiceRequest of OTLP profiles become batches: of
 * otlp_encoder.h, of other agents, and what a collector made of several of them. Release 1.10 and
 * later; of older requests, whose samples have other field numbers, it is an error that says so.
 *
 * Batches of otlp_encoder.h that have times get them back, in the order of profile_order_apply().
 *
 * Of other agents: values of a sample are added up, whatever their times; each time without a value
 * counts 1. An event is named by the type of its samples. Addresses become relative to the file of
 * their mapping, unless they are those of its symbols already. "ns" are nanoseconds. A sample
 * without a thread is one of the resource's process.pid. Lists as values of attributes, links and
 * original payloads are ignored.
 *
 * Time and memory are proportional to the size of the request.
 */

#include "base/error.h"
#include "fleet/fleet_batch.h"

#include <stddef.h>

enum {
	OTLP_MAX_BYTES = 1 << 30, /* of a request */
	OTLP_MAX_BATCHES = 4096,  /* in a request */
	OTLP_MAX_EVENTS = 1024,   /* of a batch */
	OTLP_MAX_LABELS = 128,    /* of a resource */
};

struct otlp_batches {
	struct fleet_batch *batches;
	size_t num_batches, cap_batches;
};

#define OTLP_BATCHES_INIT \
	{                 \
	}

enum otlp_grouping {
	/** One for each resource, scope and batch id, in the order of the request. */
	OTLP_BATCH_EACH,
	/** All in one, at most, with the labels and the id of the first: to look at a file. */
	OTLP_BATCH_ALL,
};

/** @ret: set only on success. */
struct error *otlp_decoder_decode(const void *bytes, size_t size, enum otlp_grouping grouping,
				  struct otlp_batches *ret);
void otlp_batches_deinit(struct otlp_batches *batches);

#endif
