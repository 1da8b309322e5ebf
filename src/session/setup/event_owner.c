// SPDX-License-Identifier: Apache-2.0

#include "session/setup/event_owner.h"

#include <string.h>

// Only names are compared, up to the period or the next comma: whether they are right is checked
// later, by the catalogue of the source.

/** @length: of @word, up to its period. @is_running: processes that run already are sampled. */
static const struct source_ops *event_owner_of(const char *word, size_t length, bool is_running)
{
	const struct source_ops *found = NULL;
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		for (const char *const *name = (*ops)->traits.own_events; name && *name; name++)
			if (strlen(*name) == length && strncmp(*name, word, length) == 0)
				if (!found || (*ops)->traits.is_of_running == is_running)
					found = *ops;
	return found;
}

/** What the words of all -e mean. */
struct event_owner {
	const struct source_ops *ops; /* NULL: none so far */
	const char *owned, *other;    /* words, up to the next ":" or ","; or NULL */
};

static void event_owner_add(struct event_owner *owner, const char *spec, bool is_running)
{
	for (const char *word = spec; *word;) {
		const struct source_ops *ops =
			event_owner_of(word, strcspn(word, ":,"), is_running);
		if (ops) {
			owner->ops = ops;
			owner->owned = word;
		} else {
			owner->other = word;
		}
		word += strcspn(word, ",");
		word += *word == ',';
	}
}

struct error *event_owner_find(const char *named, const struct sample_request *asked,
			       const struct source_ops **ret)
{
	struct event_owner owner = {0};
	*ret = NULL;
	if (named && *named)
		return NULL;
	for (size_t i = 0; i < asked->words.num_counted; i++)
		event_owner_add(&owner, asked->words.counted[i].spec,
				asked->pids || asked->process_name);
	*ret = owner.ops;
	if (!owner.ops || !owner.other)
		return NULL;
	return error_with_hint(
		error_create(ERROR_USAGE, "events '%.*s' and '%.*s' cannot be sampled together",
			     (int)strcspn(owner.owned, ":,"), owner.owned,
			     (int)strcspn(owner.other, ":,"), owner.other),
		"'%.*s' is of source '%s', which has no other events: run wperf twice",
		(int)strcspn(owner.owned, ":,"), owner.owned, owner.ops->traits.name);
}
