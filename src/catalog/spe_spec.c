// SPDX-License-Identifier: Apache-2.0

#include "catalog/spe_spec.h"

#include "base/container/array.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "catalog/comma_list.h"

#include <inttypes.h>
#include <string.h>

// The filters are gone over twice: check_syntax() for all, then spe_spec_set_value() for all. So a
// filter that is no filter at all is reported before the lack of SPE is. Values go into the configs
// of perf_event_attr at the bits that a mask gives. On Linux the masks come from the PMU's folder
// in sysfs; those of the driver's table are the same.

#define SPE_PREFIX "arm_spe_0/"

#define BIT(n) (UINT64_C(1) << (n))
#define FLAG(name, bit)           \
	{                         \
		name, 0, BIT(bit) \
	}
#define MAX_INTERVAL    UINT64_C(0xffffffff)
#define MAX_MIN_LATENCY UINT64_C(0xffff)

// The order of the peer's messages. Bits are those of Linux.
const struct spe_filter_info spe_driver_filters[] = {
	{FLAG("load_filter", 33), "ld", "Keep loads; 0 or 1", false},
	{FLAG("store_filter", 34), "st", "Keep stores; 0 or 1", false},
	{FLAG("branch_filter", 32), "b", "Keep branches; 0 or 1", false},
	{FLAG("ts_enable", 0), "ts", "Record time stamps; 0 or 1", false},
	{{"min_latency", 2, MAX_MIN_LATENCY},
	 "min",
	 "Keep operations that took at least this many cycles",
	 false},
	{{"event_filter", 1, UINT64_MAX},
	 NULL,
	 "Keep operations with all of these events (bit mask)",
	 true},
	{FLAG("jitter", 16), NULL, "Vary the sampling interval slightly; 0 or 1", true},
	{{"period", SPE_PERIOD, MAX_INTERVAL}, NULL, "Take one sample every N operations", true},
};
const size_t spe_num_driver_filters = ARRAY_SIZE(spe_driver_filters);

bool spe_spec_is(const char *spec)
{
	return strncmp(spec, SPE_PREFIX, strlen(SPE_PREFIX)) == 0;
}

const struct spe_filter_info *spe_filter_find(const struct spe_filter_table *table,
					      const char *name)
{
	for (size_t i = 0; i < table->num_filters; i++) {
		const struct spe_filter_info *filter = &table->filters[i];
		if (strcmp(name, filter->format.name) == 0 ||
		    (filter->alias && strcmp(name, filter->alias) == 0))
			return filter;
	}
	return NULL;
}

uint64_t spe_filter_max(const struct spe_filter_info *filter)
{
	int num_bits = __builtin_popcountll(filter->format.mask);
	return num_bits ? UINT64_MAX >> (64 - num_bits) : 0;
}

uint64_t spe_filters_value(const struct spe_filters *filters, const char *name)
{
	const struct spe_filter_table table = {spe_driver_filters, spe_num_driver_filters, 0};
	const struct sysfs_format *format = &spe_filter_find(&table, name)->format;
	// Their bits are in one piece.
	return (filters->configs[format->config] & format->mask) / (format->mask & -format->mask);
}

/** What a parse goes by. */
struct parse {
	const char *all; /* what stands between the two slashes */
	const struct spe_filter_table *table;
	struct spe_filters *filters;
};

static struct error *check_syntax(char *filter, const struct parse *parse)
{
	const char *equals = strchr(filter, '=');
	if (!equals)
		return error_create(ERROR_USAGE, "incorrect SPE filter: '%s' in %s", filter,
				    parse->all);
	if (equals == filter)
		return error_create(ERROR_USAGE, "incorrect SPE filter name: '%s'", filter);
	const char *value = equals + 1;
	uint64_t ignored;
	if (number_parse(value, strlen(value), &ignored) == NUMBER_INVALID)
		return error_create(ERROR_USAGE, "incorrect SPE filter value: %.*s='%s'.",
				    (int)(equals - filter), filter, value);
	return NULL;
}

static struct error *spe_spec_set_value(char *text, const struct parse *parse)
{
	char *equals = strchr(text, '=');
	*equals = '\0';
	const struct spe_filter_info *filter = spe_filter_find(parse->table, text);
	if (!filter) {
		_cleanup_(string_builder_deinit) struct string_builder names = STRING_BUILDER_INIT;
		for (size_t i = 0; i < parse->table->num_filters; i++)
			if (!parse->table->filters[i].is_extra)
				string_builder_appendf(&names, "%s%s", names.length ? ", " : "",
						       parse->table->filters[i].format.name);
		return error_create(ERROR_USAGE, "SPE filter '%s' unknown, use: %s", text,
				    string_builder_peek(&names));
	}
	uint64_t value = 0;
	uint64_t min = filter->format.config == SPE_PERIOD ? parse->table->min_period : 0;
	bool is_number = number_parse(equals + 1, strlen(equals + 1), &value) == NUMBER_OK;
	if (!is_number || value < min ||
	    !sysfs_format_set(&filter->format, value, parse->filters->configs))
		return error_create(ERROR_USAGE,
				    "SPE filter '%s' value out of range, use: %" PRIu64 "-%" PRIu64,
				    text, min, spe_filter_max(filter));
	return NULL;
}

/** @filter: a copy that may be written to. */
typedef struct error *(*filter_fn)(char *filter, const struct parse *parse);

static struct error *for_each_filter(const struct parse *parse, filter_fn fn)
{
	_cleanup_free_ char *copy = strdup(parse->all);
	if (!copy)
		return &error_no_memory;
	char *rest = *copy ? copy : NULL;
	for (char *filter; (filter = comma_list_next(&rest));) {
		struct error *err = fn(filter, parse);
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
			"write arm_spe_0// or arm_spe_0/load_filter=1,min_latency=10/, without "
			"another event in the same -e");
	char *filters = strdup(spec + prefix_length);
	if (!filters)
		return &error_no_memory;
	filters[slash - spec - (ptrdiff_t)prefix_length] = '\0';
	*ret = filters;
	return NULL;
}

struct error *spe_spec_parse(const char *spec, const struct spe_filter_table *table,
			     struct spe_filters *ret)
{
	_cleanup_free_ char *all = NULL;
	struct spe_filters filters = {.spec = spec};
	struct error *err = filters_of(spec, &all);
	if (err)
		return err;
	const struct parse parse = {all, table, &filters};
	err = for_each_filter(&parse, check_syntax);
	if (err)
		return err;
	if (!table)
		return error_with_hint(
			error_create(ERROR_FAILED, "SPE is not supported by your hardware: %s",
				     spec),
			"Linux needs an Arm machine with /sys/bus/event_source/devices/arm_spe_0; "
			"elsewhere -e cache-misses shows which code misses the caches, and "
			"--source sim,spe=1 simulates SPE");
	filters.configs[SPE_PERIOD] =
		table->min_period > SPE_DEFAULT_PERIOD ? table->min_period : SPE_DEFAULT_PERIOD;
	err = for_each_filter(&parse, spe_spec_set_value);
	if (err)
		return err;
	*ret = filters;
	return NULL;
}
