// SPDX-License-Identifier: Apache-2.0

#include "source/source_settings.h"

#include "base/text/nearest_name.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "source/source.h"

#include <inttypes.h>
#include <string.h>

// The grammar of `--source NAME,key=value,...`, behind the name. Keys and their limits are in the
// table of the source (traits.settings); a key that is said twice has its last value. Numbers are
// checked here, texts by the source. An error lists the keys that there are, as they differ from
// source to source.

static struct error *unknown_key(const struct source_ops *ops, const char *item, size_t length)
{
	_cleanup_(string_builder_deinit) struct string_builder keys = STRING_BUILDER_INIT;
	for (const struct setting_rule *rule = ops->traits.settings; rule->key; rule++)
		string_builder_appendf(&keys, "%s%s", rule == ops->traits.settings ? "" : ", ",
				       rule->key);
	struct error *err = error_create(ERROR_USAGE, "source '%s' has no setting '%.*s'",
					 ops->traits.name, (int)length, item);
	const char *list = string_builder_peek(&keys);
	return *list ? error_with_hint(err, "it takes %s", list)
		     : error_with_hint(err, "it takes no settings");
}

static const struct setting_rule *find_rule(const struct source_ops *ops, const char *key,
					    size_t length)
{
	for (const struct setting_rule *rule = ops->traits.settings; rule->key; rule++)
		if (strlen(rule->key) == length && !strncmp(rule->key, key, length))
			return rule;
	return NULL;
}

static struct error *source_settings_set_value(struct source_settings *settings,
					       const struct setting_rule *rule, const char *value,
					       size_t length)
{
	// Where it was said before, else a new place. There is one for each key.
	size_t place = 0;
	while (place < settings->num_items && settings->items[place].rule != rule)
		place++;
	if (place == settings->num_items)
		settings->num_items++;
	struct setting *setting = &settings->items[place];
	setting->rule = rule;
	if (rule->kind == SETTING_TEXT) {
		free(setting->text);
		setting->text = strndup(value, length);
		return setting->text ? NULL : &error_no_memory;
	}
	if (number_parse(value, length, &setting->number) == NUMBER_OK &&
	    setting->number >= rule->min && setting->number <= rule->max)
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "invalid setting %s=%.*s", rule->key,
					    (int)length, value),
			       "%s takes %" PRIu64 " to %" PRIu64, rule->key, rule->min, rule->max);
}

struct error *source_settings_parse(const char *text, const struct source_ops *ops,
				    struct source_settings *ret)
{
	_cleanup_(source_settings_deinit) struct source_settings settings = SOURCE_SETTINGS_INIT;
	while (*text) {
		// Values cannot have commas; paths with one cannot be given.
		size_t length = strcspn(text, ",");
		const char *equals = memchr(text, '=', length);
		if (!equals)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "setting '%.*s' of source '%s' has no value",
					     (int)length, text, ops->traits.name),
				"write %s,key=value", ops->traits.name);
		size_t key_length = (size_t)(equals - text);
		const struct setting_rule *rule = find_rule(ops, text, key_length);
		if (!rule)
			return unknown_key(ops, text, key_length);
		struct error *err = source_settings_set_value(&settings, rule, equals + 1,
							      length - key_length - 1);
		if (err)
			return err;
		text += length + (text[length] == ',');
	}
	*ret = settings;
	settings = (struct source_settings)SOURCE_SETTINGS_INIT;
	return NULL;
}

void source_settings_deinit(struct source_settings *settings)
{
	for (size_t i = 0; i < settings->num_items; i++)
		free(settings->items[i].text);
	settings->num_items = 0;
}

static const struct setting *find_setting(const struct source_settings *settings, const char *key)
{
	for (size_t i = 0; i < settings->num_items; i++)
		if (!strcmp(settings->items[i].rule->key, key))
			return &settings->items[i];
	return NULL;
}

uint64_t source_settings_number(const struct source_settings *settings, const char *key,
				uint64_t fallback)
{
	const struct setting *setting = find_setting(settings, key);
	return setting ? setting->number : fallback;
}

const char *source_settings_text(const struct source_settings *settings, const char *key,
				 const char *fallback)
{
	const struct setting *setting = find_setting(settings, key);
	return setting ? setting->text : fallback;
}
