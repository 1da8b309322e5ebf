// SPDX-License-Identifier: Apache-2.0

#include "session/trigger/trigger_words.h"

#include "base/cleanup.h"
#include "base/text/duration.h"
#include "base/text/number.h"
#include "catalog/catalog_tables.h"
#include "catalog/linux/probe_point.h"
#include "catalog/linux/system_event.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char line_prefix[] = "line:", latency_prefix[] = "latency>", probe_prefix[] = "u:";

static struct error *unknown_trigger(const char *text)
{
	return error_with_hint(error_create(ERROR_USAGE, "--trigger: '%s' is not a condition",
					    text),
			       "write 'page-faults>10000/s', 'cpu>90%%', "
			       "'latency>50ms@u:FILE:FUNCTION' or 'line:TEXT@FIFO'");
}

static struct error *parse_line(const char *text, struct trigger_words *words)
{
	const char *from = text + strlen(line_prefix), *at = strrchr(from, '@');
	if (!at || at == from || !at[1])
		return unknown_trigger(text);
	words->kind = TRIGGER_LINE;
	words->name = strndup(from, (size_t)(at - from));
	words->from = at + 1;
	uint64_t fd;
	if (number_parse_decimal(at + 1, strlen(at + 1), &fd) == NUMBER_OK && fd <= INT_MAX) {
		words->from = NULL;
		words->fd = (int)fd;
	}
	return words->name ? NULL : &error_no_memory;
}

/** @point: NULL: there is more than one, or something behind it. The return probe replaces what the
 *  stack pointer points to, which is where the call returns to at the beginning of a function, and
 *  nowhere else. */
static struct error *trigger_words_check_point(const char *text, const struct probe_point *point)
{
	if (!point || point->values || strchr(point->file, ',') || strchr(point->name, ','))
		return error_with_hint(
			error_create(ERROR_USAGE, "--trigger: '%s' is more than a function", text),
			"give each function a --trigger of its own, without values, "
			"modifiers and a period");
	if (!*point->name || point->offset)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--trigger: '%s' is not the beginning of a "
						    "function",
						    text),
				       "calls are timed from there on: leave out '+' and what is "
				       "behind it, and name the function");
	return NULL;
}

/** @name: of the probe. */
static struct error *trigger_words_check_probe(const char *text, const char *name)
{
	// For the words alone; which functions there are is looked up later.
	struct catalog catalog = {.sysfs_folder = ""};
	const struct event *event = NULL;
	struct error *err = probe_point_find(&catalog, name, &event);
	if (!err)
		err = trigger_words_check_point(text, event ? system_event_probe(event) : NULL);
	arena_deinit(&catalog.arena);
	return err;
}

static struct error *trigger_words_parse_latency(const char *text, struct trigger_words *words)
{
	const char *limit = text + strlen(latency_prefix), *at = strchr(limit, '@');
	_cleanup_free_ char *time = at ? strndup(limit, (size_t)(at - limit)) : NULL;
	if (at && !time)
		return &error_no_memory;
	if (!at || !duration_parse(time, &words->limit) || !words->limit ||
	    strncmp(at + 1, probe_prefix, strlen(probe_prefix)) != 0)
		return error_with_hint(
			error_create(ERROR_USAGE, "--trigger: '%s' is not a latency of a function",
				     text),
			"write 'latency>50ms@u:/usr/lib/libshop.so:buy'; 'wperf list probes FILE' "
			"shows the functions of a file");
	struct error *err = trigger_words_check_probe(text, at + 1);
	if (err)
		return err;
	words->kind = TRIGGER_LATENCY;
	words->name = strdup(at + 1);
	return words->name ? NULL : &error_no_memory;
}

static struct error *parse_limit(const char *text, struct trigger_words *words)
{
	const char *above = strrchr(text, '>');
	if (!above || above == text)
		return unknown_trigger(text);
	const char *number = above + 1;
	size_t digits = strspn(number, "0123456789");
	const char *unit = number + digits;
	// One event, so that it has one count.
	if (strcspn(text, ",{} ") < (size_t)(above - text))
		return unknown_trigger(text);
	bool is_cpu = strcmp(unit, "%") == 0, is_rate = strcmp(unit, "/s") == 0;
	if (!is_cpu && !is_rate)
		return unknown_trigger(text);
	if (number_parse_decimal(number, digits, &words->limit) != NUMBER_OK)
		return unknown_trigger(text);
	words->kind = is_cpu ? TRIGGER_CPU : TRIGGER_EVENT;
	words->name = strndup(text, (size_t)(above - text));
	if (!words->name)
		return &error_no_memory;
	bool is_named_cpu = strcmp(words->name, "cpu") == 0;
	if (is_cpu == is_named_cpu)
		return NULL;
	free(words->name);
	return unknown_trigger(text);
}

struct error *trigger_words_parse(const char *text, struct trigger_words *ret)
{
	struct trigger_words words = {.fd = -1};
	bool is_line = strncmp(text, line_prefix, strlen(line_prefix)) == 0;
	bool is_latency = strncmp(text, latency_prefix, strlen(latency_prefix)) == 0;
	struct error *err = is_line      ? parse_line(text, &words)
			    : is_latency ? trigger_words_parse_latency(text, &words)
					 : parse_limit(text, &words);
	if (!err)
		*ret = words;
	return err;
}

void trigger_words_deinit(struct trigger_words *words)
{
	free(words->name);
}
