// SPDX-License-Identifier: Apache-2.0
// Input: lines; the last one is an event's terms, each before it `<term>=<format>`.

#include "base/cleanup.h"
#include "catalog/sysfs_pmu.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = strndup((const char *)data, size);
	if (!text)
		return 0;
	_cleanup_(sysfs_pmu_deinit) struct sysfs_pmu pmu = SYSFS_PMU_INIT;
	char *line = text;
	for (char *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		char *equals = strchr(line, '=');
		if (!equals)
			continue;
		*equals = '\0';
		error_destroy(sysfs_pmu_add_format(&pmu, line, equals + 1));
	}
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS];
	sysfs_pmu_encode(&pmu, line, configs);
	return 0;
}
