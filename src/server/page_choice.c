// SPDX-License-Identifier: Apache-2.0
#include "server/page_choice.h"

#include "base/cleanup.h"
#include "base/text/wall_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char page_choice_other[] = "other-";

/** The key without what is in front of those of the second choice; NULL: it is of the other one. */
static const char *page_choice_key(const struct server_argument *argument, bool is_second)
{
	bool has_prefix = strncmp(argument->key, page_choice_other, strlen(page_choice_other)) == 0;
	if (has_prefix != is_second)
		return NULL;
	return argument->key + (has_prefix ? strlen(page_choice_other) : 0);
}

static bool page_choice_is(const struct server_argument *argument, bool is_second, const char *key)
{
	const char *known = page_choice_key(argument, is_second);
	return known && strcmp(known, key) == 0;
}

static const char *page_choice_word(const struct server_call *call, bool is_second, const char *key)
{
	for (size_t i = 0; i < call->num_arguments; i++)
		if (page_choice_is(&call->arguments[i], is_second, key))
			return call->arguments[i].value;
	return NULL;
}

/** Digits alone are nanoseconds, as programs send them; all else is what --since takes. */
static bool page_choice_time(const char *text, uint64_t now_ns, uint64_t *ret)
{
	if (*text && strspn(text, "0123456789") == strlen(text)) {
		errno = 0;
		unsigned long long ns = strtoull(text, NULL, 10);
		if (errno || ns >= STORE_MAX_NS)
			return false;
		*ret = ns;
		return true;
	}
	return wall_time_parse(text, now_ns, ret);
}

static struct error *page_choice_read_time(const char *key, const char *text, uint64_t now_ns,
					   uint64_t *ret)
{
	if (!text || page_choice_time(text, now_ns, ret))
		return NULL;
	return error_with_hint(error_create(ERROR_USAGE, "%s: not a time: '%s'", key, text),
			       "give 2h (ago), 2026-03-01, 2026-03-01T12:30 (UTC) or @SECONDS");
}

/** @ret_wrong: a word without '=', or NULL. */
static struct error *page_choice_read_labels(const struct server_call *call, bool is_second,
					     struct page_choice *choice, const char **ret_wrong)
{
	*ret_wrong = NULL;
	for (size_t i = 0; i < call->num_arguments; i++) {
		const char *word = call->arguments[i].value, *equals = strchr(word, '=');
		bool is_host = page_choice_is(&call->arguments[i], is_second, "host");
		if (!is_host && !page_choice_is(&call->arguments[i], is_second, "label"))
			continue;
		if (!*word)
			continue;
		if (!is_host && (!equals || equals == word)) {
			*ret_wrong = word;
			return NULL;
		}
		_cleanup_free_ char *key =
			is_host ? strdup("host.name") : strndup(word, (size_t)(equals - word));
		struct error *err = key ? fleet_batch_set_label(&choice->marks, key,
								is_host ? word : equals + 1)
					: &error_no_memory;
		if (err)
			return err;
	}
	return NULL;
}

static struct error *page_choice_copy_labels(const struct page_choice *first,
					     struct page_choice *choice)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < first->marks.num_labels; i++)
		err = fleet_batch_set_label(&choice->marks, first->marks.labels[i].key,
					    first->marks.labels[i].value);
	return err;
}

/** Without a range of its own it has that of the first. */
static struct error *page_choice_read_range(const struct page_choice *first, uint64_t now_ns,
					    struct page_choice *choice)
{
	if (first && !choice->since && !choice->until) {
		choice->since = first->since;
		choice->until = first->until;
		choice->range = first->range;
		return NULL;
	}
	struct error *err =
		page_choice_read_time("since", choice->since, now_ns, &choice->range.from_ns);
	if (!err)
		err = page_choice_read_time("until", choice->until, now_ns,
					    &choice->range.until_ns);
	if (!err && choice->range.until_ns && choice->range.until_ns <= choice->range.from_ns)
		err = error_create(ERROR_USAGE, "until '%s' is not after since '%s'", choice->until,
				   choice->since);
	return err;
}

struct error *page_choice_read(const struct server_call *call, const struct page_choice *first,
			       uint64_t now_ns, struct page_choice *ret, struct error **ret_wrong)
{
	bool is_second = first, has_labels = page_choice_word(call, is_second, "label") ||
					     page_choice_word(call, is_second, "host");
	_cleanup_(page_choice_deinit) struct page_choice choice = {
		.service = page_choice_word(call, is_second, "service"),
		.event = page_choice_word(call, is_second, "event"),
		.since = page_choice_word(call, is_second, "since"),
		.until = page_choice_word(call, is_second, "until"),
	};
	const char *wrong;
	struct error *err = page_choice_read_labels(call, is_second, &choice, &wrong);
	if (!err && first && !has_labels)
		err = page_choice_copy_labels(first, &choice);
	if (err)
		return err;
	if (first && !choice.service)
		choice.service = first->service;
	if (first && !choice.event)
		choice.event = first->event;
	*ret_wrong = wrong ? error_with_hint(error_create(ERROR_USAGE, "not a label: '%s'", wrong),
					     "write label=KEY=VALUE")
			   : page_choice_read_range(first, now_ns, &choice);
	*ret = choice;
	choice = (struct page_choice)PAGE_CHOICE_INIT;
	return NULL;
}

void page_choice_deinit(struct page_choice *choice)
{
	fleet_batch_deinit_labels(&choice->marks);
	*choice = (struct page_choice)PAGE_CHOICE_INIT;
}
