/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_SOURCE_SETTINGS_H
#define WPERF_SOURCE_SOURCE_SETTINGS_H

/** The settings `key=value,...` after the name of a source. */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source_ops;

enum setting_kind { SETTING_NUMBER, SETTING_TEXT };

/** A key that a source accepts. */
struct setting_rule {
	const char *key;
	enum setting_kind kind;
	uint64_t min, max; /* SETTING_NUMBER */
	const char *help;
};

enum { SOURCE_MAX_SETTINGS = 16 };

struct setting {
	const struct setting_rule *rule;
	uint64_t number;
	char *text;
};

struct source_settings {
	struct setting items[SOURCE_MAX_SETTINGS];
	size_t num_items;
};

#define SOURCE_SETTINGS_INIT \
	{                    \
	}

/** @text may be empty. The last value of a repeated key counts. */
struct error *source_settings_parse(const char *text, const struct source_ops *ops,
				    struct source_settings *ret);
void source_settings_deinit(struct source_settings *settings);

/** The value of the key, or @fallback. */
uint64_t source_settings_number(const struct source_settings *settings, const char *key,
				uint64_t fallback);
const char *source_settings_text(const struct source_settings *settings, const char *key,
				 const char *fallback);

#endif
