/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_SYSFS_PMU_H
#define WPERF_CATALOG_SYSFS_PMU_H

/**
 * How a PMU that the kernel describes in sysfs wants its events: the terms that it takes, which
 * bits of perf_event_attr each of them fills, and the encoding of a line of terms.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	SYSFS_PMU_NUM_CONFIGS = 3,    /* attr.config, config1, config2: what events have */
	SYSFS_FORMAT_NUM_CONFIGS = 5, /* up to config4 */
	SYSFS_PMU_TERM_MAX = 64,
};

/** What a term fills. */
struct sysfs_format {
	char name[SYSFS_PMU_TERM_MAX];
	unsigned config; /* below SYSFS_FORMAT_NUM_CONFIGS */
	uint64_t mask;   /* the bits of a value go to the bits set here, lowest first */
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
 * Parse the format file @name with the text @text: `config:0-7,32-35`. False if it is none that we
 * can use.
 */
bool sysfs_format_parse(const char *name, const char *text, struct sysfs_format *ret);

/** Put a value to its bits; all others stay. False, and nothing is put, if it has more bits. */
bool sysfs_format_set(const struct sysfs_format *format, uint64_t value, uint64_t *configs);

/**
 * Add the format file @name with the text @text.
 * A format that we cannot use is left out: events that need it cannot be encoded.
 */
struct error *sysfs_pmu_add_format(struct sysfs_pmu *pmu, const char *name, const char *text);

enum sysfs_term_result {
	SYSFS_TERM_SET,
	SYSFS_TERM_UNKNOWN,
	SYSFS_TERM_BAD_VALUE, /* no number */
	SYSFS_TERM_TOO_LARGE, /* more bits than the term has */
};

/**
 * Put one term, `umask=0x1` or, for 1, `edge`, to its bits of @configs; all others stay, and all if
 * it is not set.
 */
enum sysfs_term_result sysfs_pmu_set_term(const struct sysfs_pmu *pmu, const char *term,
					  size_t length, uint64_t configs[SYSFS_PMU_NUM_CONFIGS]);

/**
 * Encode the text of an event: `event=0x3c,umask=0x1`. A term without a value is 1.
 * False if a term is not known, its value does not fit or is to be chosen by the user (`?`); then
 * @ret is not touched.
 */
bool sysfs_pmu_encode(const struct sysfs_pmu *pmu, const char *terms,
		      uint64_t ret[SYSFS_PMU_NUM_CONFIGS]);

void sysfs_pmu_deinit(struct sysfs_pmu *pmu);

#endif
