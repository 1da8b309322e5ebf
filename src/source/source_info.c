// SPDX-License-Identifier: Apache-2.0

#include "source/source_info.h"

#include "base/container/array.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// PMUVer and PMSVer of ID_AA64DFR0_EL1 (Arm ARM) as names of architecture features. Numbers that
// are missing in a table are reserved. A source that cannot read the register says "not known"; a
// version that is newer than the table is not guessed.

void source_info_deinit(struct source_info *info)
{
	free(info->description);
	free(info->core_midr);
	free(info->vendor_name);
	free(info->device_id);
	free(info->version.git);
	free(info->version.features);
	for (size_t i = 0; i < NUM_PMU_CLASSES; i++)
		free(info->codes[i]);
	*info = (struct source_info)SOURCE_INFO_INIT;
}

struct error *source_info_set_version(struct source_info *info, const char *release,
				      const char *features)
{
	struct component_version *version = &info->version;
	if (sscanf(release, "%u.%u.%u", &version->major, &version->minor, &version->patch) < 2)
		return error_create(ERROR_FAILED, "cannot read a version from '%s'", release);
	const char *local = strchr(release, '-');
	version->git = strdup(local ? local + 1 : "-");
	version->features = strdup(features);
	return version->git && version->features ? NULL : &error_no_memory;
}

static const char not_known[] = "not known";

const char *source_info_pmu_version(const struct source_info *info)
{
	static const char *const names[] = {
		[0] = "not implemented.", [1] = "FEAT_PMUv3",   [4] = "FEAT_PMUv3p1",
		[5] = "FEAT_PMUv3p4",     [6] = "FEAT_PMUv3p5", [7] = "FEAT_PMUv3p7",
		[8] = "FEAT_PMUv3p8",     [9] = "FEAT_PMUv3p9",
	};
	if (!info->has_registers)
		return not_known;
	unsigned version = info->registers.pmu_version;
	return version < ARRAY_SIZE(names) && names[version] ? names[version]
							     : "unknown PMU configuration!";
}

const char *source_info_spe_version(const struct source_info *info)
{
	static const char *const names[] = {
		"not implemented", "FEAT_SPE",     "FEAT_SPEv1p1",
		"FEAT_SPEv1p2",    "FEAT_SPEv1p3", "FEAT_SPEv1p4",
	};
	if (!info->has_registers)
		return not_known;
	unsigned version = (info->registers.id_aa64dfr0 >> 32) & 0xf; // PMSVer
	return version < ARRAY_SIZE(names) ? names[version] : "unknown SPE configuration!";
}
