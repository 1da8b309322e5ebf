// SPDX-License-Identifier: Apache-2.0

#include "source/perf_spe_pmu.h"

#include "base/array.h"
#include "base/number.h"

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_SIZE = 256, MAX_CORES = 1 << 16 };

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

static const char *title_of(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		if (strcmp(titles[i].name, name) == 0)
			return titles[i].title;
	return NULL;
}

/** The first line of a file of the PMU; false if there is none. */
static bool read_line(const char *sysfs, const char *file, char line[TEXT_SIZE])
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s/%s/%s", sysfs, PERF_SPE_PMU_NAME, file);
	if (length < 0 || (size_t)length >= sizeof(path))
		return false;
	FILE *stream = fopen(path, "re");
	if (!stream)
		return false;
	bool is_read = fgets(line, TEXT_SIZE, stream);
	fclose(stream);
	if (is_read)
		line[strcspn(line, "\n")] = '\0';
	return is_read;
}

static bool read_number(const char *sysfs, const char *file, uint32_t *ret)
{
	char line[TEXT_SIZE];
	uint64_t number;
	if (!read_line(sysfs, file, line) ||
	    number_parse_decimal(line, strlen(line), &number) != NUMBER_OK || number > UINT32_MAX)
		return false;
	*ret = (uint32_t)number;
	return true;
}

static struct error *add_filter(struct perf_spe_pmu *pmu, const struct sysfs_format *format)
{
	const struct spe_filter_table driver = {spe_driver_filters, spe_num_driver_filters, 0};
	const struct spe_filter_info *known = spe_filter_find(&driver, format->name);
	struct error *err = array_reserve(&pmu->filters, &pmu->cap_filters, pmu->num_filters + 1);
	if (err)
		return err;
	pmu->filters[pmu->num_filters++] = (struct spe_filter_info){
		.format = *format,
		.alias = known ? known->alias : NULL,
		.title = known ? known->title : title_of(format->name),
	};
	return NULL;
}

static struct error *add_format(struct perf_spe_pmu *pmu, const char *sysfs, const char *name)
{
	char file[NAME_MAX + sizeof("format/")], text[TEXT_SIZE];
	struct sysfs_format format;
	snprintf(file, sizeof(file), "format/%s", name);
	if (!read_line(sysfs, file, text) || !sysfs_format_parse(name, text, &format))
		return NULL;
	return add_filter(pmu, &format);
}

static int select_file(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

static struct error *add_formats(struct perf_spe_pmu *pmu, const char *sysfs)
{
	char folder[PATH_MAX];
	snprintf(folder, sizeof(folder), "%s/%s/format", sysfs, PERF_SPE_PMU_NAME);
	struct dirent **entries;
	int num = scandir(folder, &entries, select_file, alphasort);
	struct error *err = NULL;
	for (int i = 0; i < num; i++) {
		if (!err)
			err = add_format(pmu, sysfs, entries[i]->d_name);
		free(entries[i]);
	}
	if (num >= 0)
		free(entries);
	// How often is no bit of a config, as with every event.
	const struct sysfs_format period = {"period", SPE_PERIOD, UINT32_MAX};
	return err ? err : add_filter(pmu, &period);
}

static void set_cores(struct perf_spe_pmu *pmu, unsigned first, unsigned last)
{
	while (pmu->num_cores <= last)
		pmu->has_core[pmu->num_cores++] = false;
	for (unsigned core = first; core <= last; core++)
		pmu->has_core[core] = true;
}

/** `0-3,8` */
static struct error *read_cores(struct perf_spe_pmu *pmu, const char *sysfs)
{
	char line[TEXT_SIZE];
	if (!read_line(sysfs, "cpumask", line))
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
		if (num >= 1 && first <= last && last < MAX_CORES)
			set_cores(pmu, first, last);
	}
	return NULL;
}

struct error *perf_spe_pmu_read(const char *sysfs, struct perf_spe_pmu *ret)
{
	_cleanup_(perf_spe_pmu_deinit) struct perf_spe_pmu pmu = PERF_SPE_PMU_INIT;
	if (!read_number(sysfs, "type", &pmu.type))
		return error_create(ERROR_ABSENT, "the kernel has no %s", PERF_SPE_PMU_NAME);
	read_number(sysfs, "caps/min_interval", &pmu.min_period);
	struct error *err = add_formats(&pmu, sysfs);
	if (!err)
		err = read_cores(&pmu, sysfs);
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

// Older kernels refuse a size that they do not know, unless all that is new is 0.
static uint32_t size_of(const uint64_t configs[SPE_NUM_CONFIGS])
{
	if (configs[4])
		return PERF_SPE_ATTR_CONFIG4 + sizeof(uint64_t);
	return configs[3] ? PERF_SPE_ATTR_CONFIG3 + sizeof(uint64_t) : PERF_SPE_ATTR_CONFIG3;
}

union perf_spe_attr perf_spe_pmu_attr(const struct perf_spe_pmu *pmu,
				      const struct spe_filters *filters, bool kernel)
{
	union perf_spe_attr spe = {.bytes = {0}};
	spe.attr.type = pmu->type;
	spe.attr.size = size_of(filters->configs);
	spe.attr.config = filters->configs[0];
	spe.attr.config1 = filters->configs[1];
	spe.attr.config2 = filters->configs[2];
	memcpy(spe.bytes + PERF_SPE_ATTR_CONFIG3, &filters->configs[3], sizeof(uint64_t));
	memcpy(spe.bytes + PERF_SPE_ATTR_CONFIG4, &filters->configs[4], sizeof(uint64_t));
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
