// SPDX-License-Identifier: Apache-2.0
// Input: lines; the last one is an event's terms, each before it `<term>=<format>`.

#include "base/cleanup.h"
#include "catalog/linux/sysfs_pmu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
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
	bool is_encoded = sysfs_pmu_encode(&pmu, line, configs);
	uint64_t set[SYSFS_PMU_NUM_CONFIGS] = {};
	bool is_set = true;
	for (char *term = line; term;) {
		char *comma = strchr(term, ',');
		size_t length = comma ? (size_t)(comma - term) : strlen(term);
		is_set = is_set && sysfs_pmu_set_term(&pmu, term, length, set) == SYSFS_TERM_SET;
		term = comma ? comma + 1 : NULL;
	}
	// Term by term is as the whole line.
	if (is_set != is_encoded || (is_set && memcmp(set, configs, sizeof(set)) != 0))
		abort();
	return 0;
}
