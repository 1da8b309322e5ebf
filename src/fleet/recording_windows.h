/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_RECORDING_WINDOWS_H
#define WPERF_FLEET_RECORDING_WINDOWS_H

/** A recording cut into windows of time, each a batch, as an agent would have sent them. */

#include "fleet/fleet_batch.h"

struct recording_windows {
	struct fleet_batch *batches; /* their profiles are the recording's, but for the samples */
	size_t num_batches, cap_batches;
};

struct recording_windows_request {
	const struct fleet_label *labels; /* of all batches */
	size_t num_labels;
	uint64_t start_wall_ns; /* of the recording; 0: what the profile says */
	uint64_t length_ns;     /* of a window; they begin at multiples of it */
};

/**
 * Batches have ids that only depend on the labels and the samples: cut again, they are the same.
 * @profile: samples with times; sorted by them. It must outlive the batches.
 * @ret: set only on success.
 */
struct error *recording_windows_cut(const struct recording_windows_request *request,
				    struct named_profile *profile, struct recording_windows *ret);
void recording_windows_deinit(struct recording_windows *windows);

#endif
