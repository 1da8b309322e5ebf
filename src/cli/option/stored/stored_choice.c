// SPDX-License-Identifier: Apache-2.0
// First everything is a text as the user wrote it. What --diff says replaces such texts, and only
// then times are read.

#include "cli/option/stored/stored_choice.h"

#include "base/container/array.h"
#include "base/os/clock.h"
#include "base/text/string_builder.h"
#include "base/text/wall_time.h"

#include <string.h>

enum { STORED_MAX_CHANGES = 64 }; // words of --diff

/** What is wanted, as texts; NULL: all. */
struct stored_texts {
	const char *service, *since, *until;
	const char *since_option, *until_option; // who said it, for errors
	struct fleet_label *labels;              // with room for those of --diff
	size_t num_labels;
};

struct error *stored_choice_time(const char *option, const char *text, uint64_t *ret_ns)
{
	if (wall_time_parse(text, clock_ns(CLOCK_REALTIME), ret_ns))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s: not a time: '%s'", option, text),
			       "give 2h (ago), 2026-03-01, 2026-03-01T12:30 (UTC) or @SECONDS");
}

/** "KEY=VALUE". */
static struct error *stored_choice_split(const char *option, const char *word, struct arena *arena,
					 struct fleet_label *ret)
{
	const char *equals = strchr(word, '=');
	if (!equals || equals == word)
		return error_with_hint(error_create(ERROR_USAGE, "%s: not a label: '%s'", option,
						    word),
				       "write KEY=VALUE: %s host.name=web-1", option);
	ret->key = arena_strndup(arena, word, (size_t)(equals - word));
	ret->value = arena_strdup(arena, equals + 1);
	return ret->key && ret->value ? NULL : &error_no_memory;
}

struct error *stored_choice_labels(const struct options *options, struct arena *arena,
				   struct fleet_label **ret, size_t *ret_num)
{
	const struct text_list *words = &options->labels;
	struct fleet_label *labels = arena_alloc_array(
		arena, words->num_items + 1 + STORED_MAX_CHANGES, sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	size_t num = 0;
	for (size_t i = 0; i < words->num_items; i++) {
		struct error *err =
			stored_choice_split("--label", words->items[i], arena, &labels[num++]);
		if (err)
			return err;
	}
	if (options->host) {
		labels[num].key = arena_strdup(arena, "host.name");
		labels[num].value = arena_strdup(arena, options->host);
		if (!labels[num].key || !labels[num].value)
			return &error_no_memory;
		num++;
	}
	*ret = labels;
	*ret_num = num;
	return NULL;
}

struct error *stored_choice_check(const struct options *options)
{
	const char *beside = options->service            ? "--service"
			     : options->host             ? "--host"
			     : options->since            ? "--since"
			     : options->until            ? "--until"
			     : options->token_file       ? "--token-file"
			     : options->debug_dir        ? "--debug-dir"
			     : options->labels.num_items ? "--label"
							 : NULL;
	if (!options->from)
		return beside ? error_with_hint(error_create(ERROR_USAGE, "%s is about stores",
							     beside),
						"name one with --from sqlite:FILE")
			      : NULL;
	if (options->input || options->arguments.num_items)
		return error_create(ERROR_USAGE, "a recording and --from cannot be combined");
	if (options->time_range)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--time and --from cannot be combined"),
				       "choose a range of a store with --since and --until");
	return NULL;
}

static void stored_choice_set_label(struct stored_texts *texts, struct fleet_label label)
{
	size_t i = 0;
	while (i < texts->num_labels && strcmp(texts->labels[i].key, label.key) != 0)
		i++;
	texts->labels[i] = label;
	texts->num_labels += i == texts->num_labels;
}

static struct error *stored_choice_change_key(struct stored_texts *texts, struct arena *arena,
					      const char *word)
{
	struct fleet_label label;
	struct error *err = stored_choice_split("--diff", word, arena, &label);
	if (err)
		return err;
	if (strcmp(label.key, "event") == 0)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--diff compares profiles of one event"),
				       "name it with --event");
	if (strcmp(label.key, "service") == 0) {
		texts->service = label.value;
	} else if (strcmp(label.key, "since") == 0) {
		texts->since = label.value;
		texts->since_option = "--diff";
	} else if (strcmp(label.key, "until") == 0) {
		texts->until = label.value;
		texts->until_option = "--diff";
	} else {
		if (strcmp(label.key, "host") == 0)
			label.key = arena_strdup(arena, "host.name");
		if (!label.key)
			return &error_no_memory;
		stored_choice_set_label(texts, label);
	}
	return NULL;
}

/** A time without a key: SINCE, or behind it UNTIL. One range replaces the other as a whole. */
static struct error *stored_choice_change_time(struct stored_texts *texts, const char *word,
					       size_t num_times)
{
	if (num_times > 1)
		return error_create(ERROR_USAGE, "--diff has more than two times: '%s'", word);
	uint64_t time_ns;
	_cleanup_(error_destroyp) struct error *err = stored_choice_time("--diff", word, &time_ns);
	if (err)
		return error_with_hint(
			error_create(ERROR_USAGE, "%s", err->message),
			"with --from, --diff takes SINCE or SINCE,UNTIL, and KEY=VALUE: "
			"a label, service=NAME or host=NAME");
	*(num_times ? &texts->until : &texts->since) = word;
	if (!num_times)
		texts->until = NULL;
	return NULL;
}

static struct error *stored_choice_change(struct stored_texts *texts, struct arena *arena,
					  const char *diff)
{
	char *word = arena_strdup(arena, diff);
	struct error *err = word ? NULL : &error_no_memory;
	size_t num_words = 0, num_times = 0;
	while (!err && word) {
		char *comma = strchr(word, ',');
		if (comma)
			*comma++ = '\0';
		if (++num_words > STORED_MAX_CHANGES)
			return error_create(ERROR_USAGE, "--diff has more than %d words",
					    STORED_MAX_CHANGES);
		err = strchr(word, '=') ? stored_choice_change_key(texts, arena, word)
					: stored_choice_change_time(texts, word, num_times++);
		word = comma;
	}
	return err;
}

static struct error *stored_choice_read(const struct options *options, const char *diff,
					struct arena *arena, struct stored_texts *ret)
{
	struct stored_texts texts = {
		.service = options->service,
		.since = options->since,
		.until = options->until,
		.since_option = "--since",
		.until_option = "--until",
	};
	struct error *err = stored_choice_labels(options, arena, &texts.labels, &texts.num_labels);
	if (!err && diff)
		err = stored_choice_change(&texts, arena, diff);
	if (!err)
		*ret = texts;
	return err;
}

struct error *stored_choice_query(const struct options *options, const char *diff,
				  struct arena *arena, struct store_query *ret)
{
	struct stored_texts texts;
	struct error *err = stored_choice_read(options, diff, arena, &texts);
	if (err)
		return err;
	struct store_query query = {
		.service = texts.service,
		.event = options->event,
		.labels = texts.labels,
		.num_labels = texts.num_labels,
	};
	if (texts.since)
		err = stored_choice_time(texts.since_option, texts.since, &query.from_ns);
	if (!err && texts.until)
		err = stored_choice_time(texts.until_option, texts.until, &query.until_ns);
	if (!err)
		*ret = query;
	return err;
}

struct error *stored_choice_words(const struct options *options, const char *diff, char **ret)
{
	_cleanup_(arena_deinit) struct arena arena = ARENA_INIT;
	_cleanup_(string_builder_deinit) struct string_builder words = STRING_BUILDER_INIT;
	struct stored_texts texts;
	struct error *err = stored_choice_read(options, diff, &arena, &texts);
	if (err)
		return err;
	string_builder_append(&words, texts.service ? texts.service : "all services");
	for (size_t i = 0; i < texts.num_labels; i++)
		string_builder_appendf(&words, ", %s=%s", texts.labels[i].key,
				       texts.labels[i].value);
	if (texts.since)
		string_builder_appendf(&words, ", since %s", texts.since);
	if (texts.until)
		string_builder_appendf(&words, ", until %s", texts.until);
	return string_builder_finish(&words, ret);
}
