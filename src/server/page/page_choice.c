// SPDX-License-Identifier: Apache-2.0
#include "server/page/page_choice.h"

#include <stdio.h>
#include <string.h>

static const char page_choice_other[] = "other-";
static const char page_choice_host[] = "host.name=";

static const char *page_choice_word(const struct page_choice *choice, const char *key)
{
	for (size_t i = 0; i < choice->num_arguments; i++)
		if (strcmp(choice->arguments[i].key, key) == 0)
			return choice->arguments[i].value;
	return NULL;
}

static struct error *page_choice_add(struct page_choice *choice, struct arena *arena,
				     const char *key, const char *value)
{
	struct server_argument *argument = &choice->arguments[choice->num_arguments++];
	*argument = (struct server_argument){key, value};
	if (strcmp(key, "host") != 0 || !*value)
		return NULL;
	size_t size = strlen(page_choice_host) + strlen(value) + 1;
	char *label = arena_alloc_array(arena, size, 1);
	if (!label)
		return &error_no_memory;
	snprintf(label, size, "%s%s", page_choice_host, value);
	*argument = (struct server_argument){"label", label};
	return NULL;
}

/** Those of the address that are of this choice. */
static struct error *page_choice_take(const struct server_call *call, bool is_second,
				      struct page_choice *choice, struct arena *arena)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < call->num_arguments; i++) {
		const struct server_argument *argument = &call->arguments[i];
		size_t length = strlen(page_choice_other);
		bool is_other = strncmp(argument->key, page_choice_other, length) == 0;
		if (is_other == is_second)
			err = page_choice_add(choice, arena,
					      argument->key + (is_other ? length : 0),
					      argument->value);
	}
	return err;
}

/** What the second choice does not have is that of the first. */
static void page_choice_inherit(const struct page_choice *first, struct page_choice *choice)
{
	const struct page_choice own = *choice;
	bool has_range = page_choice_word(&own, "since") || page_choice_word(&own, "until");
	for (size_t i = 0; i < first->num_arguments; i++) {
		const char *key = first->arguments[i].key;
		bool is_range = strcmp(key, "since") == 0 || strcmp(key, "until") == 0;
		if (is_range ? !has_range : !page_choice_word(&own, key))
			choice->arguments[choice->num_arguments++] = first->arguments[i];
	}
}

/** An empty label only says that there is none. */
static void page_choice_drop_empty_labels(struct page_choice *choice)
{
	size_t num = 0;
	for (size_t i = 0; i < choice->num_arguments; i++) {
		const struct server_argument *argument = &choice->arguments[i];
		bool is_label =
			strcmp(argument->key, "label") == 0 || strcmp(argument->key, "host") == 0;
		if (!is_label || *argument->value)
			choice->arguments[num++] = *argument;
	}
	choice->num_arguments = num;
}

/** "rows" is of the page alone: the read API has no such argument. */
static void page_choice_take_rows(struct page_choice *choice)
{
	size_t num = 0;
	for (size_t i = 0; i < choice->num_arguments; i++) {
		const struct server_argument *argument = &choice->arguments[i];
		if (strcmp(argument->key, "rows") != 0)
			choice->arguments[num++] = *argument;
		else
			choice->is_by_host = strcmp(argument->value, "host") == 0;
	}
	choice->num_arguments = num;
}

static struct error *page_choice_check_range(const struct page_choice *choice)
{
	const struct page_range *range = &choice->range;
	if (!choice->until || range->until_ns > range->from_ns)
		return NULL;
	return error_create(ERROR_USAGE, "the end of the range, '%s', is not after its begin",
			    choice->until);
}

struct error *page_choice_read(const struct server_call *call, const struct page_choice *first,
			       uint64_t now_ns, struct arena *arena, struct page_choice *ret,
			       struct error **ret_wrong)
{
	size_t most = call->num_arguments + (first ? first->num_arguments : 0);
	*ret_wrong = NULL;
	ret->arguments = arena_alloc_array(arena, most + 1, sizeof(*ret->arguments));
	if (!ret->arguments)
		return &error_no_memory;
	struct error *err = page_choice_take(call, first, ret, arena);
	if (err)
		return err;
	if (first)
		page_choice_inherit(first, ret);
	page_choice_drop_empty_labels(ret);
	page_choice_take_rows(ret);
	err = query_arguments_read(ret->arguments, ret->num_arguments, now_ns, &ret->words);
	if (err == &error_no_memory)
		return err;
	*ret_wrong = err;
	if (err)
		return NULL;
	ret->since = page_choice_word(ret, "since");
	ret->until = page_choice_word(ret, "until");
	ret->range = (struct page_range){ret->words.query.from_ns, ret->words.query.until_ns};
	*ret_wrong = page_choice_check_range(ret);
	return NULL;
}

void page_choice_deinit(struct page_choice *choice)
{
	query_arguments_deinit(&choice->words);
}
