// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "base/text/nearest_name.h"

#include <string.h>

enum { MAX_SOURCES = 16 };

static struct error *unknown_source(const char *name, size_t length)
{
	const char *names[MAX_SOURCES];
	size_t num_names = 0;
	for (const struct source_ops *const *ops = all_sources; *ops && num_names < MAX_SOURCES;
	     ops++)
		names[num_names++] = (*ops)->traits.name;

	struct error *err = error_create(ERROR_USAGE, "unknown source '%.*s'", (int)length, name);
	const char *nearest = nearest_name(name, names, num_names);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'? 'wperf detect' shows all sources",
				       nearest);
	return error_with_hint(err, "'wperf detect' shows all sources");
}

struct error *source_select(const char *spec, const struct source_ops **ret_ops,
			    struct source_settings *ret_settings)
{
	const char *name = spec && *spec ? spec : all_sources[0]->traits.name;
	size_t length = strcspn(name, ",");
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		if (strlen((*ops)->traits.name) != length ||
		    strncmp((*ops)->traits.name, name, length) != 0)
			continue;
		const char *settings = name[length] ? name + length + 1 : "";
		struct error *err = source_settings_parse(settings, *ops, ret_settings);
		if (!err)
			*ret_ops = *ops;
		return err;
	}
	return unknown_source(name, length);
}

void source_close(struct source *source)
{
	if (source)
		source->ops->close(source);
}

const char *source_event_note(struct source *source, const struct event *event)
{
	return source->ops->event_note ? source->ops->event_note(source, event) : NULL;
}

enum event_truth source_event_truth(struct source *source, const struct event *event)
{
	return source->ops->event_truth ? source->ops->event_truth(source, event) : EVENT_MEASURED;
}
