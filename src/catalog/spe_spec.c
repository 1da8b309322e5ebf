// SPDX-License-Identifier: Apache-2.0

#include "catalog/spe_spec.h"

#include "base/number.h"
#include "catalog/comma_list.h"

#include <stddef.h>
#include <string.h>

#define SPE_PREFIX "arm_spe_0/"

enum spe_filter {
	SPE_LOAD,
	SPE_STORE,
	SPE_BRANCH,
	SPE_TIMESTAMPS,
	SPE_MIN_LATENCY,
};

const struct spe_filter_info spe_filter_infos[NUM_SPE_FILTERS] = {
	[SPE_LOAD] = {"load_filter", "ld", 1, "Keep loads; 0 or 1"},
	[SPE_STORE] = {"store_filter", "st", 1, "Keep stores; 0 or 1"},
	[SPE_BRANCH] = {"branch_filter", "b", 1, "Keep branches; 0 or 1"},
	[SPE_TIMESTAMPS] = {"ts_enable", "ts", 1, "Record when it happened; 0 or 1"},
	[SPE_MIN_LATENCY] = {"min_latency", "min", UINT16_MAX,
			     "Keep what took at least so many cycles"},
};

bool spe_spec_is(const char *spec)
{
	return strncmp(spec, SPE_PREFIX, strlen(SPE_PREFIX)) == 0;
}

static struct error *check_syntax(char *filter, const char *all, uint64_t *values)
{
	const char *equals = strchr(filter, '=');
	if (!equals)
		return error_create(ERROR_USAGE, "incorrect SPE filter: '%s' in %s", filter, all);
	if (equals == filter)
		return error_create(ERROR_USAGE, "incorrect SPE filter name: '%s'", filter);
	const char *value = equals + 1;
	uint64_t ignored;
	if (number_parse(value, strlen(value), &ignored) == NUMBER_INVALID)
		return error_create(ERROR_USAGE, "incorrect SPE filter value: %.*s='%s'.",
				    (int)(equals - filter), filter, value);
	return NULL;
}

static struct error *find_filter(const char *name, enum spe_filter *ret)
{
	for (unsigned i = 0; i < NUM_SPE_FILTERS; i++) {
		if (strcmp(name, spe_filter_infos[i].name) == 0 ||
		    strcmp(name, spe_filter_infos[i].alias) == 0) {
			*ret = i;
			return NULL;
		}
	}
	return error_create(ERROR_USAGE,
			    "SPE filter '%s' unknown, use: load_filter, store_filter, "
			    "branch_filter, ts_enable, min_latency",
			    name);
}

static struct error *set_value(char *filter, const char *all, uint64_t *values)
{
	char *equals = strchr(filter, '=');
	*equals = '\0';
	enum spe_filter index = SPE_LOAD;
	struct error *err = find_filter(filter, &index);
	if (err)
		return err;
	uint64_t max = spe_filter_infos[index].max;
	uint64_t value = 0;
	if (number_parse(equals + 1, strlen(equals + 1), &value) != NUMBER_OK || value > max)
		return error_create(ERROR_USAGE, "SPE filter '%s' value out of range, use: 0-%u",
				    filter, (unsigned)max);
	values[index] = value;
	return NULL;
}

/** @filter: a copy that may be written to. */
typedef struct error *(*filter_fn)(char *filter, const char *all, uint64_t *values);

static struct error *for_each_filter(const char *all, filter_fn fn, uint64_t *values)
{
	_cleanup_free_ char *copy = strdup(all);
	if (!copy)
		return &error_no_memory;
	char *rest = *copy ? copy : NULL;
	for (char *filter; (filter = comma_list_next(&rest));) {
		struct error *err = fn(filter, all, values);
		if (err)
			return err;
	}
	return NULL;
}

/** What stands between the two slashes. */
static struct error *filters_of(const char *spec, char **ret)
{
	size_t prefix_length = strlen(SPE_PREFIX);
	const char *slash = spe_spec_is(spec) ? strchr(spec + prefix_length, '/') : NULL;
	if (!slash || slash[1])
		return error_with_hint(
			error_create(ERROR_USAGE, "incorrect SPE event: '%s'", spec),
			"write arm_spe_0// or arm_spe_0/load_filter=1,min_latency=10/, with no "
			"other event in the same -e");
	char *filters = strdup(spec + prefix_length);
	if (!filters)
		return &error_no_memory;
	filters[slash - spec - (ptrdiff_t)prefix_length] = '\0';
	*ret = filters;
	return NULL;
}

struct error *spe_spec_parse(const char *spec, bool supported, struct spe_filters *ret)
{
	_cleanup_free_ char *filters = NULL;
	struct error *err = filters_of(spec, &filters);
	if (err)
		return err;
	uint64_t values[NUM_SPE_FILTERS] = {0};
	err = for_each_filter(filters, check_syntax, values);
	if (err)
		return err;
	if (!supported)
		return error_create(ERROR_FAILED, "SPE is not supported by your hardware: %s",
				    spec);
	err = for_each_filter(filters, set_value, values);
	if (err)
		return err;
	*ret = (struct spe_filters){
		.load = values[SPE_LOAD],
		.store = values[SPE_STORE],
		.branch = values[SPE_BRANCH],
		.timestamps = values[SPE_TIMESTAMPS],
		.min_latency = (uint16_t)values[SPE_MIN_LATENCY],
	};
	return NULL;
}
