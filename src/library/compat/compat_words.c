// SPDX-License-Identifier: Apache-2.0

#include "library/compat/compat_words.h"

#include "base/text/string_builder.h"
#include "library/compat/compat_text.h"

#include <math.h>
#include <string.h>

// Events are numbers here and words there: "r1b", which any source takes. All of them together are
// one word, as if they stood after one -e, so that they keep their order. Numbers of items come
// from the caller, and may be anything.

void compat_words_deinit(struct compat_words *words)
{
	arena_deinit(&words->arena);
}

static struct error *check_number(const char *what, int number, const void *items)
{
	enum { MOST = 65536 };
	if (number < 0 || number > MOST || (number && !items))
		return error_create(ERROR_USAGE, "no list of %d %s", number, what);
	return NULL;
}

/** "r11,r1b" */
static void append_events(struct string_builder *text, const uint16_t *events, int num)
{
	for (int i = 0; i < num; i++)
		string_builder_appendf(text, "%sr%x", i ? "," : "", events[i]);
}

static struct error *append_groups(struct string_builder *text, const GROUP_EVENT_INFO *groups)
{
	struct error *err = check_number("groups", groups->num_groups, groups->events);
	if (!err)
		err = check_number("groups", groups->num_groups, groups->num_group_events);
	for (int i = 0; !err && i < groups->num_groups; i++) {
		int num = groups->num_group_events[i];
		err = check_number("events of a group", num, groups->events[i]);
		if (err || !num)
			continue;
		string_builder_append(text, text->length ? ",{" : "{");
		append_events(text, groups->events[i], num);
		string_builder_append_char(text, '}');
	}
	return err;
}

/** The text, owned by the arena. */
static struct error *keep_text(struct compat_words *words, struct string_builder *text,
			       const char **ret)
{
	*ret = arena_strdup(&words->arena, string_builder_peek(text));
	return text->failed || !*ret ? &error_no_memory : NULL;
}

/** @events: one word, or "". */
static struct error *count_words(struct compat_words *words, struct string_builder *events,
				 int num_metrics, const wchar_t **metrics)
{
	struct error *err = check_number("metrics", num_metrics, metrics);
	if (err)
		return err;
	words->counted =
		arena_alloc_array(&words->arena, (size_t)num_metrics + 1, sizeof(*words->counted));
	if (!words->counted)
		return &error_no_memory;
	size_t num = 0;
	if (events->length || events->failed)
		err = keep_text(words, events, &words->counted[num++].spec);
	for (int i = 0; !err && i < num_metrics; i++) {
		const char *spec = compat_text_utf8(&words->arena, metrics[i]);
		words->counted[num++] = (struct counted_word){.is_metric = true, .spec = spec};
		err = spec ? NULL : &error_no_memory;
	}
	words->words.counted = words->counted;
	words->words.num_counted = num;
	return err;
}

static struct error *choose_cores(struct compat_words *words, const uint8_t *cores, int num)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	struct error *err = check_number("cores", num, cores);
	for (int i = 0; !err && i < num; i++)
		string_builder_appendf(&text, "%s%u", i ? "," : "", cores[i]);
	return err || !num ? err : keep_text(words, &text, &words->words.cores);
}

static struct error *choose_period(struct compat_words *words, long period_ms)
{
	const char **config = arena_alloc(&words->arena, sizeof(*config));
	if (!config)
		return &error_no_memory;
	*config = arena_printf(&words->arena, "count.period=%ld", period_ms);
	words->words.config = config;
	words->words.num_config = period_ms > 0;
	return *config ? NULL : &error_no_memory;
}

struct error *compat_words_of_stat(struct compat_words *words, const STAT_CONF *conf)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	struct error *err = check_number("events", conf->num_events, conf->events);
	if (err)
		return err;
	append_events(&events, conf->events, conf->num_events);
	err = append_groups(&events, &conf->group_events);
	if (!err)
		err = count_words(words, &events, conf->num_metrics, conf->metric_events);
	if (!err)
		err = choose_cores(words, conf->cores, conf->num_cores);
	return err ? err : choose_period(words, conf->period);
}

struct error *compat_words_of_sample(struct compat_words *words, const SAMPLE_CONF *conf)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	struct error *err = check_number("events", conf->num_events, conf->events);
	if (!err)
		err = check_number("intervals", conf->num_events, conf->intervals);
	for (int i = 0; !err && i < conf->num_events; i++)
		string_builder_appendf(&events, "%sr%x:%u", i ? "," : "", conf->events[i],
				       conf->intervals[i]);
	if (!err && !conf->num_events)
		err = error_create(ERROR_USAGE, "no events to sample");
	if (!err)
		err = count_words(words, &events, 0, NULL);
	return err ? err : choose_cores(words, &conf->core_idx, 1);
}

struct error *compat_words_of_test(struct compat_words *words, const TEST_CONF *conf)
{
	_cleanup_(string_builder_deinit) struct string_builder events = STRING_BUILDER_INIT;
	struct error *err = check_number("events", conf->num_events, conf->events);
	if (err)
		return err;
	append_events(&events, conf->events, conf->num_events);
	return count_words(words, &events, conf->num_metrics, conf->metric_events);
}

/** The next word, without its quotes, moved to its own place in @line; NULL: there is none. */
static char *next_word(char **line)
{
	char *from = *line + strspn(*line, " \t"), *word = from, *to = from;
	bool is_quoted = false;
	if (!*from)
		return NULL;
	for (; *from && (is_quoted || (*from != ' ' && *from != '\t')); from++)
		if (*from == '"')
			is_quoted = !is_quoted;
		else
			*to++ = *from;
	*line = *from ? from + 1 : from;
	*to = 0;
	return word;
}

struct error *compat_words_of_program(struct compat_words *words, const wchar_t *file,
				      const wchar_t *line, char *const **ret)
{
	char *text = compat_text_utf8(&words->arena, line ? line : L"");
	// A word has a character, and a blank behind it.
	char **program =
		text ? arena_alloc_array(&words->arena, strlen(text) / 2 + 3, sizeof(*program))
		     : NULL;
	if (!program)
		return &error_no_memory;
	size_t num = 1;
	program[0] = compat_text_utf8(&words->arena, file);
	next_word(&text);
	for (char *word = next_word(&text); word; word = next_word(&text))
		program[num++] = word;
	*ret = program;
	return program[0] ? NULL : &error_no_memory;
}

uint64_t compat_words_ns(double seconds, uint64_t unit_ns)
{
	if (!(seconds > 0))
		return 0;
	double units = floor(seconds * 1e9 / (double)unit_ns);
	if (units >= (double)(INT64_MAX / (int64_t)unit_ns))
		return 0; // nobody waits for its end
	return units < 1 ? unit_ns : (uint64_t)units * unit_ns;
}
