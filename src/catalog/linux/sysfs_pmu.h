/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_SYSFS_PMU_H
#define WPERF_CATALOG_LINUX_SYSFS_PMU_H

/**
 * The event encoding of a PMU that the kernel describes in sysfs: its terms, the bits of
 * perf_event_attr that each of them sets, and the encoding of a line of terms.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SYSFS_PMU_NUM_CONFIGS = 3,    /* attr.config, config1, config2: for events */
	SYSFS_FORMAT_NUM_CONFIGS = 5, /* up to config4 */
	SYSFS_PMU_TERM_MAX = 64,
};

/** The bits of a term. */
struct sysfs_format {
	char name[SYSFS_PMU_TERM_MAX];
	unsigned config; /* below SYSFS_FORMAT_NUM_CONFIGS */
	uint64_t mask;   /* the value is distributed to these bits, lowest first */
};

struct sysfs_pmu {
	uint32_t type;
	struct sysfs_format *formats;
	size_t num_formats, cap_formats;
};

#define SYSFS_PMU_INIT \
	{              \
	}

/**
 * Parse the format file @name with the text @text: `config:0-7,32-35`. False if it is not
 * supported.
 */
bool sysfs_format_parse(const char *name, const char *text, struct sysfs_format *ret);

/** Set the bits of a value; others are unchanged. False, without a change, if it has more bits. */
bool sysfs_format_set(const struct sysfs_format *format, uint64_t value, uint64_t *configs);

/**
 * Add the format file @name with the text @text.
 * Unsupported formats are left out: events that need them cannot be encoded.
 */
struct error *sysfs_pmu_add_format(struct sysfs_pmu *pmu, const char *name, const char *text);

enum sysfs_term_result {
	SYSFS_TERM_SET,
	SYSFS_TERM_UNKNOWN,
	SYSFS_TERM_BAD_VALUE, /* not a number */
	SYSFS_TERM_TOO_LARGE, /* more bits than the term has */
};

/**
 * Set the bits of one term in @configs, `umask=0x1` or `edge`, which is 1; others are unchanged.
 * Without SYSFS_TERM_SET, nothing is changed.
 */
enum sysfs_term_result sysfs_pmu_set_term(const struct sysfs_pmu *pmu, const char *term,
					  size_t length, uint64_t configs[SYSFS_PMU_NUM_CONFIGS]);

/**
 * Encode the text of an event: `event=0x3c,umask=0x1`. A term without a value is 1.
 * False, and @ret is not set: a term is unknown, a value does not fit, or the user has to choose it
 * (`?`).
 */
bool sysfs_pmu_encode(const struct sysfs_pmu *pmu, const char *terms,
		      uint64_t ret[SYSFS_PMU_NUM_CONFIGS]);

void sysfs_pmu_deinit(struct sysfs_pmu *pmu);

#endif
