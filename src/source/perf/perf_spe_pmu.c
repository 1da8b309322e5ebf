// SPDX-License-Identifier: Apache-2.0

#include "source/perf/perf_spe_pmu.h"

#include "base/cleanup.h"
#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "catalog/linux/sysfs_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Follows Documentation/ABI/testing/sysfs-bus-event_source-devices-arm_spe and
// drivers/perf/arm_spe_pmu.c. Each file in format/ names a filter and its bits in config to
// config4; the bits are not written down here, since newer kernels add filters. The attribute is a
// union with raw bytes, because the headers of the build may end before config3 and config4. Its
// size is as small as possible: older kernels refuse a larger one with non-zero bytes (E2BIG).

enum { MAX_CORES = 1 << 16 };

// What is known of filters besides those that the driver's table describes.
static const struct {
	const char *name, *title;
} titles[] = {
	{"pa_enable", "Record physical addresses; 0 or 1"},
	{"pct_enable", "Record physical time; 0 or 1"},
	{"inv_event_filter", "Keep what had none of these events; bits"},
	{"data_src_filter", "Keep data of these sources; bits"},
	{"discard", "Record nothing, for the PMU's counts of it; 0 or 1"},
	{"load_filter_mask", "How load_filter and the others are joined; 0 or 1"},
	{"store_filter_mask", "Likewise"},
	{"branch_filter_mask", "Likewise"},
	{"simd_filter", "Keep SIMD; 0 or 1"},
	{"simd_filter_mask", "Likewise"},
	{"float_filter", "Keep floating point; 0 or 1"},
	{"float_filter_mask", "Likewise"},
};

static struct error *add_filter(struct perf_spe_pmu *pmu, const struct sysfs_format *format)
{
	const struct spe_filter_table driver = {spe_driver_filters, spe_num_driver_filters, 0};
	const struct spe_filter_info *known = spe_filter_find(&driver, format->name);
	struct error *err = array_reserve(&pmu->filters, &pmu->cap_filters, pmu->num_filters + 1);
	if (err)
		return err;
	const char *title = known ? known->title : NULL;
	for (size_t i = 0; !known && i < ARRAY_SIZE(titles); i++)
		if (strcmp(titles[i].name, format->name) == 0)
			title = titles[i].title;
	pmu->filters[pmu->num_filters++] = (struct spe_filter_info){
		.format = *format,
		.alias = known ? known->alias : NULL,
		.title = title,
	};
	return NULL;
}

static struct error *add_formats(struct perf_spe_pmu *pmu, int fd)
{
	_cleanup_(sysfs_folder_deinit) struct sysfs_folder folder = SYSFS_FOLDER_INIT;
	_cleanup_(close_fd) int formats = openat(fd, "format", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (formats >= 0)
		sysfs_folder_list(&folder, formats, ".");
	struct error *err = NULL;
	for (int i = 0; !err && i < folder.num_entries; i++) {
		const char *name = folder.entries[i]->d_name;
		char text[SYSFS_TEXT_MAX + 1];
		struct sysfs_format format;
		if (sysfs_read_line(formats, name, text) && sysfs_format_parse(name, text, &format))
			err = add_filter(pmu, &format);
	}
	// How often is no bit of a config, as with every event.
	const struct sysfs_format period = {"period", SPE_PERIOD, UINT32_MAX};
	return err ? err : add_filter(pmu, &period);
}

/** `0-3,8` */
static struct error *perf_spe_pmu_read_cores(struct perf_spe_pmu *pmu, int fd)
{
	char line[SYSFS_TEXT_MAX + 1];
	// The cores that have the unit. Without the file all have it.
	if (!sysfs_read_line(fd, "cpumask", line))
		return NULL;
	pmu->has_core = calloc(MAX_CORES, sizeof(*pmu->has_core));
	if (!pmu->has_core)
		return &error_no_memory;
	char *rest = line;
	for (char *range; (range = strsep(&rest, ","));) {
		unsigned first, last;
		int num = sscanf(range, "%u-%u", &first, &last);
		if (num == 1)
			last = first;
		if (num < 1 || first > last || last >= MAX_CORES)
			continue;
		while (pmu->num_cores <= last)
			pmu->has_core[pmu->num_cores++] = false;
		for (unsigned core = first; core <= last; core++)
			pmu->has_core[core] = true;
	}
	return NULL;
}

struct error *perf_spe_pmu_read(const char *sysfs, struct perf_spe_pmu *ret)
{
	_cleanup_(perf_spe_pmu_deinit) struct perf_spe_pmu pmu = PERF_SPE_PMU_INIT;
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s", sysfs, PERF_SPE_PMU_NAME);
	bool is_whole = length > 0 && (size_t)length < sizeof(path);
	_cleanup_(close_fd) int fd = is_whole ? open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
	if (fd < 0 || !sysfs_read_number(fd, "type", &pmu.type))
		return error_create(ERROR_ABSENT, "the kernel has no %s", PERF_SPE_PMU_NAME);
	// PMSIDR_EL1.Interval, as a number of operations. 0 where the file is missing.
	sysfs_read_number(fd, "caps/min_interval", &pmu.min_period);
	struct error *err = add_formats(&pmu, fd);
	if (!err)
		err = perf_spe_pmu_read_cores(&pmu, fd);
	if (err)
		return err;
	*ret = pmu;
	pmu = (struct perf_spe_pmu)PERF_SPE_PMU_INIT;
	return NULL;
}

struct spe_filter_table perf_spe_pmu_filters(const struct perf_spe_pmu *pmu)
{
	return (struct spe_filter_table){
		.filters = pmu->filters,
		.num_filters = pmu->num_filters,
		.min_period = pmu->min_period,
	};
}

bool perf_spe_pmu_has_core(const struct perf_spe_pmu *pmu, unsigned core)
{
	return !pmu->num_cores || (core < pmu->num_cores && pmu->has_core[core]);
}

union perf_spe_attr perf_spe_pmu_attr(const struct perf_spe_pmu *pmu,
				      const struct spe_filters *filters, bool kernel)
{
	union perf_spe_attr spe = {.bytes = {0}};
	spe.attr.type = pmu->type;
	// Older kernels refuse a size that they do not know, unless all that is new is 0.
	spe.attr.size = PERF_SPE_ATTR_CONFIG3;
	if (filters->configs[3])
		spe.attr.size = PERF_SPE_ATTR_CONFIG3 + sizeof(uint64_t);
	if (filters->configs[4])
		spe.attr.size = PERF_SPE_ATTR_CONFIG4 + sizeof(uint64_t);
	spe.attr.config = filters->configs[0];
	spe.attr.config1 = filters->configs[1];
	spe.attr.config2 = filters->configs[2];
	// By offset: these two members are not in the headers of older kernels.
	memcpy(spe.bytes + PERF_SPE_ATTR_CONFIG3, &filters->configs[3], sizeof(uint64_t));
	memcpy(spe.bytes + PERF_SPE_ATTR_CONFIG4, &filters->configs[4], sizeof(uint64_t));
	// SPE cannot be sampled by frequency: the interval is what the hardware counts down.
	spe.attr.sample_period = filters->configs[SPE_PERIOD];
	spe.attr.disabled = 1;
	spe.attr.exclude_kernel = !kernel;
	spe.attr.exclude_hv = !kernel;
	return spe;
}

void perf_spe_pmu_deinit(struct perf_spe_pmu *pmu)
{
	free(pmu->filters);
	free(pmu->has_core);
	*pmu = (struct perf_spe_pmu)PERF_SPE_PMU_INIT;
}
