/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_DATA_SOURCE_H
#define WPERF_RECORD_SPE_SPE_DATA_SOURCE_H

/**
 * Where the data of a load came from. The numbers of a data source packet are each core's own; this
 * knows those of Arm's Neoverse and Cortex cores, of AmpereOne A and of HiSilicon's HIP12.
 *
 * To add a core: its number in spe_core.h, and a row in the table `cores` of spe_data_source.c,
 * with a table of its sources if they are like those of no other.
 */

#include <stdbool.h>
#include <stdint.h>

/** The same question for all cores; from near to far. */
enum spe_distance {
	SPE_DISTANCE_L1,
	SPE_DISTANCE_L2,
	SPE_DISTANCE_PEER_CORE,     /* a cache of another core of the same cluster */
	SPE_DISTANCE_LOCAL_CLUSTER, /* the cluster's own cache */
	SPE_DISTANCE_SYSTEM_CACHE,
	SPE_DISTANCE_PEER_CLUSTER, /* a cache of another cluster */
	SPE_DISTANCE_MEMORY,
	SPE_DISTANCE_REMOTE, /* a cache of another chip or socket, or something there */
	SPE_DISTANCE_REMOTE_MEMORY,
	SPE_DISTANCE_DEVICE, /* not cacheable */
	SPE_NUM_DISTANCES,
};

struct spe_data_source {
	uint16_t number;
	uint8_t distance; /* enum spe_distance */
	bool is_modified; /* the cache that it came from had changed it */
	const char *name;
};

/**
 * What a data source packet's payload says on the core with this MIDR; NULL if that is not known.
 * Then the events of the record still tell levels that were missed.
 */
const struct spe_data_source *spe_data_source_find(uint32_t midr, uint64_t payload);

/** `L1`, `peer core`, `memory` ... */
const char *spe_distance_name(enum spe_distance distance);

#endif
