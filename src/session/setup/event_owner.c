// SPDX-License-Identifier: Apache-2.0

#include "session/setup/event_owner.h"

#include <string.h>

// Only names are compared, up to the period or the next comma: whether they are right is checked
// later, by the catalogue of the source.

static bool event_owner_lists(const char *const *names, const char *word)
{
	size_t length = strcspn(word, ":,");
	for (; names && *names; names++)
		if (strlen(*names) == length && strncmp(*names, word, length) == 0)
			return true;
	return false;
}

/** @is_running: processes that run already are sampled. */
static const struct source_ops *event_owner_of(const char *word, bool is_running)
{
	const struct source_ops *found = NULL;
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		if (event_owner_lists((*ops)->traits.own_events, word))
			if (!found || (*ops)->traits.is_of_running == is_running)
				found = *ops;
	return found;
}

static bool event_owner_is_running(const struct sample_request *asked)
{
	return asked->pids || asked->process_name;
}

/** The next word of a list; NULL: that was the last. */
static const char *event_owner_next(const char *word)
{
	word += strcspn(word, ",");
	return word[0] == ',' && word[1] ? word + 1 : NULL;
}

/** The first event that only one source has; NULL: there is none. */
static const char *event_owner_find_owned(const struct sample_request *asked)
{
	for (size_t i = 0; i < asked->words.num_counted; i++)
		for (const char *word = asked->words.counted[i].spec; word;
		     word = event_owner_next(word))
			if (event_owner_of(word, event_owner_is_running(asked)))
				return word;
	return NULL;
}

/** The last event that the source does not sample; NULL: there is none. */
static const char *event_owner_find_other(const struct sample_request *asked,
					  const struct source_ops *ops)
{
	const char *other = NULL;
	for (size_t i = 0; i < asked->words.num_counted; i++)
		for (const char *word = asked->words.counted[i].spec; word;
		     word = event_owner_next(word))
			if (event_owner_of(word, event_owner_is_running(asked)) != ops &&
			    !event_owner_lists(ops->traits.more_events, word))
				other = word;
	return other;
}

struct error *event_owner_find(const char *named, const struct sample_request *asked,
			       const struct source_ops **ret)
{
	const char *owned = named && *named ? NULL : event_owner_find_owned(asked);
	const struct source_ops *ops =
		owned ? event_owner_of(owned, event_owner_is_running(asked)) : NULL;
	const char *other = ops ? event_owner_find_other(asked, ops) : NULL;
	*ret = ops;
	if (!other)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "events '%.*s' and '%.*s' cannot be sampled together",
			     (int)strcspn(owned, ":,"), owned, (int)strcspn(other, ":,"), other),
		"'%.*s' is of source '%s', which does not sample the other: run wperf twice",
		(int)strcspn(owned, ":,"), owned, ops->traits.name);
}
