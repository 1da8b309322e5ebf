// SPDX-License-Identifier: Apache-2.0

#include "profile/anonymous_profile.h"

#include "base/text/anonymous_text.h"

#include <stdio.h>

/** Passwords and names of customers stand among arguments, and where the program's name ends cannot
 * be said of words without their quotes. So the name is that of the first process. */
static void anonymous_profile_shorten(struct named_profile *profile)
{
	profile->host = 0;
	profile->command_line = profile->num_threads ? profile->threads[0].process_name : 0;
}

static struct error *anonymous_profile_rename_task(struct run_queue_task *task)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	if (!anonymous_text_append(task->name, &text))
		return NULL;
	snprintf(task->name, sizeof(task->name), "%s", string_builder_peek(&text));
	return text.failed ? &error_no_memory : NULL;
}

static struct error *anonymous_profile_rename_tasks(struct run_queue *queue)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < queue->num_threads; i++) {
		err = anonymous_profile_rename_task(&queue->threads[i].task);
		if (!err)
			err = anonymous_profile_rename_task(&queue->threads[i].runner);
	}
	for (size_t i = 0; !err && i < queue->num_runners; i++)
		err = anonymous_profile_rename_task(&queue->runners[i].task);
	return err;
}

struct error *anonymous_profile_apply(struct named_profile *profile)
{
	struct string_table *strings = &profile->strings;
	for (uint32_t i = 1; i < strings->num_entries; i++) {
		_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
		bool is_changed = anonymous_text_append(string_table_get(strings, i), &text);
		if (text.failed)
			return &error_no_memory;
		struct error *err = is_changed ? string_table_replace(strings, i, text.text) : NULL;
		if (err)
			return err;
	}
	anonymous_profile_shorten(profile);
	profile->is_anonymous = true;
	return anonymous_profile_rename_tasks(&profile->run_queue);
}
