// SPDX-License-Identifier: Apache-2.0

#include "catalog/linux/sysfs_pmu.h"

#include "base/container/array.h"
#include "base/text/number.h"

#include <stdlib.h>
#include <string.h>

// Follows Documentation/ABI/testing/sysfs-bus-event_source-devices-format: `config1:0-7,32-35` are
// the bits of a term, which need not be adjacent. sysfs_format_set() puts the bits of a value into
// the set bits of the mask, lowest first, and fails if some are left.

static bool parse_bit(const char *text, size_t length, unsigned *ret)
{
	uint64_t bit;
	if (number_parse_decimal(text, length, &bit) != NUMBER_OK || bit > 63)
		return false;
	*ret = (unsigned)bit;
	return true;
}

// `5` or `0-7`
static bool parse_range(const char *text, size_t length, uint64_t *mask)
{
	const char *dash = memchr(text, '-', length);
	size_t first_length = dash ? (size_t)(dash - text) : length;
	unsigned first, last;
	if (!parse_bit(text, first_length, &first))
		return false;
	last = first;
	if (dash && !parse_bit(dash + 1, length - first_length - 1, &last))
		return false;
	if (last < first)
		return false;
	// last - first + 1 ones; made from the right, as a shift by 64 bits is undefined.
	*mask |= (UINT64_MAX >> (63 - (last - first))) << first;
	return true;
}

bool sysfs_format_parse(const char *name, const char *text, struct sysfs_format *ret)
{
	static const char *const prefixes[SYSFS_FORMAT_NUM_CONFIGS] = {
		"config:", "config1:", "config2:", "config3:", "config4:",
	};
	struct sysfs_format format = {};
	size_t name_length = strlen(name);
	unsigned config = 0;
	while (config < SYSFS_FORMAT_NUM_CONFIGS &&
	       strncmp(text, prefixes[config], strlen(prefixes[config])) != 0)
		config++;
	if (!name_length || name_length >= sizeof(format.name) ||
	    config == SYSFS_FORMAT_NUM_CONFIGS)
		return false;
	format.config = config;
	text += strlen(prefixes[config]);
	for (;;) {
		size_t length = strcspn(text, ",");
		if (!parse_range(text, length, &format.mask))
			return false;
		if (!text[length])
			break;
		text += length + 1;
	}
	memcpy(format.name, name, name_length);
	*ret = format;
	return true;
}

struct error *sysfs_pmu_add_format(struct sysfs_pmu *pmu, const char *name, const char *text)
{
	struct sysfs_format format;
	// A format that we cannot read makes its events unreadable, which are then left out.
	if (!sysfs_format_parse(name, text, &format) || format.config >= SYSFS_PMU_NUM_CONFIGS)
		return NULL;
	struct error *err = array_reserve(&pmu->formats, &pmu->cap_formats, pmu->num_formats + 1);
	if (err)
		return err;
	pmu->formats[pmu->num_formats++] = format;
	return NULL;
}

void sysfs_pmu_deinit(struct sysfs_pmu *pmu)
{
	free(pmu->formats);
	*pmu = (struct sysfs_pmu)SYSFS_PMU_INIT;
}

static const struct sysfs_format *find_format(const struct sysfs_format *formats, size_t count,
					      const char *name, size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (!strncmp(formats[i].name, name, length) && !formats[i].name[length])
			return &formats[i];
	return NULL;
}

static const struct sysfs_format *find_term(const struct sysfs_pmu *pmu, const char *name,
					    size_t length)
{
	// Every PMU takes its registers whole.
	static const struct sysfs_format whole[SYSFS_PMU_NUM_CONFIGS] = {
		{"config", 0, UINT64_MAX},
		{"config1", 1, UINT64_MAX},
		{"config2", 2, UINT64_MAX},
	};
	if (!length || length >= SYSFS_PMU_TERM_MAX)
		return NULL;
	const struct sysfs_format *format =
		find_format(pmu->formats, pmu->num_formats, name, length);
	return format ? format : find_format(whole, SYSFS_PMU_NUM_CONFIGS, name, length);
}

bool sysfs_format_set(const struct sysfs_format *format, uint64_t value, uint64_t *configs)
{
	uint64_t bits = 0;
	// `left & -left` is the lowest bit that is left, and takes the lowest bit of the value.
	for (uint64_t left = format->mask; left; left &= left - 1, value >>= 1)
		if (value & 1)
			bits |= left & -left;
	if (value)
		return false;
	uint64_t *config = &configs[format->config];
	*config = (*config & ~format->mask) | bits;
	return true;
}

enum sysfs_term_result sysfs_pmu_set_term(const struct sysfs_pmu *pmu, const char *term,
					  size_t length, uint64_t configs[SYSFS_PMU_NUM_CONFIGS])
{
	// A term without a value is a flag: `edge` means `edge=1`.
	const char *equals = memchr(term, '=', length);
	size_t name_length = equals ? (size_t)(equals - term) : length;
	const struct sysfs_format *format = find_term(pmu, term, name_length);
	if (!format)
		return SYSFS_TERM_UNKNOWN;
	uint64_t value = 1;
	if (equals) {
		// Hexadecimal with prefix, else decimal: the kernel pads with zeros and never means
		// octal.
		const char *text = equals + 1;
		size_t text_length = length - name_length - 1;
		bool is_hex = text_length > 2 && !strncmp(text, "0x", 2);
		if ((is_hex ? number_parse_hex(text, text_length, true, &value)
			    : number_parse_decimal(text, text_length, &value)) != NUMBER_OK)
			return SYSFS_TERM_BAD_VALUE;
	}
	return sysfs_format_set(format, value, configs) ? SYSFS_TERM_SET : SYSFS_TERM_TOO_LARGE;
}

bool sysfs_pmu_encode(const struct sysfs_pmu *pmu, const char *terms,
		      uint64_t ret[SYSFS_PMU_NUM_CONFIGS])
{
	uint64_t configs[SYSFS_PMU_NUM_CONFIGS] = {};
	for (;;) {
		size_t length = strcspn(terms, ",");
		if (sysfs_pmu_set_term(pmu, terms, length, configs) != SYSFS_TERM_SET)
			return false;
		if (!terms[length])
			break;
		terms += length + 1;
	}
	memcpy(ret, configs, sizeof(configs));
	return true;
}
