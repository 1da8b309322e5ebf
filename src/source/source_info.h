/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SOURCE_INFO_H
#define WPERF_SOURCE_SOURCE_INFO_H

/**
 * A source's description of its machine. What a source cannot know is marked as not known; it never
 * fills in a plausible number.
 */

#include "base/error.h"
#include "catalog/catalog.h"
#include "catalog/spe_spec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COUNTER_INDEX_MAP_SIZE = 32 };

/** The PMU of an Arm core as the driver describes it. */
struct pmu_registers {
	uint64_t midr; /* of the first core */
	uint64_t id_aa64dfr0;
	uint64_t pmbidr, pmsidr;
	uint8_t pmu_version; /* ID_AA64DFR0.PMUVer */
	uint8_t counter_index_map[COUNTER_INDEX_MAP_SIZE];
};

struct component_version {
	unsigned major, minor, patch;
	char *git;
	char *features;
};

struct source_info {
	char *description;   /* "simulated neoverse-n1, 8 cores" */
	const char *machine; /* of the code that runs, as in uname; NULL: this machine */
	unsigned num_cores;
	uint64_t *core_midr;  /* num_cores of them, 0: not an Arm core; or NULL */
	char *vendor_name;    /* of the CPU */
	const char *topology; /* the folder /sys/devices/system of its cores; NULL: not known */

	bool counters_known;
	struct pmu_counters counters;
	unsigned fixed_counters[NUM_PMU_CLASSES];
	size_t max_events[NUM_PMU_CLASSES]; /* with padding; 0: no limit */

	bool has_registers; /* the next two are known */
	struct pmu_registers registers;
	char *device_id; /* "core.stat=core;..." */

	unsigned cluster_size;               /* cores of each cluster with a DSU; 0: no DSU */
	bool has_spe;                        /* this source supports SPE ... */
	struct spe_filter_table spe_filters; /* ... with these filters, which the source owns */
	uint32_t max_frequency;              /* of samples a second; 0: not known */
	bool counts_processes;               /* else it counts only whole cores */
	bool tells_tasks; /* it samples whole cores, but samples have a process */

	struct component_version version; /* of the driver, or what replaces it */
	bool is_driver; /* a driver of WindowsPerf's contract: its version must be ours */

	/** The existing event codes of each class; NULL: see the CPU's table. */
	uint16_t *codes[NUM_PMU_CLASSES];
	size_t num_codes[NUM_PMU_CLASSES];
};

#define SOURCE_INFO_INIT \
	{                \
	}

void source_info_deinit(struct source_info *info);

/** "FEAT_PMUv3p1", ..., "not implemented.", "unknown PMU configuration!", or "not known". */
/**
 * Use the version of a kernel as that of the driver: "6.18.44-cloud" is 6.18.44 with the commit
 * "cloud".
 */
struct error *source_info_set_version(struct source_info *info, const char *release,
				      const char *features);

const char *source_info_pmu_version(const struct source_info *info);

/** "FEAT_SPEv1p1", ..., "not implemented", "unknown SPE configuration!", or "not known". */
const char *source_info_spe_version(const struct source_info *info);

#endif
