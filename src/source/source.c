// SPDX-License-Identifier: Apache-2.0

#include "source/source.h"

#include "base/array.h"
#include "base/nearest_name.h"
#include "source/source_emulate.h"
#include "source/source_perf.h"
#include "source/source_sim.h"
#include "source/source_timer.h"

#include <string.h>

const struct source_ops *const all_sources[] = {
	&source_perf_ops, &source_emulate_ops, &source_timer_ops, &source_sim_ops, NULL,
};

static struct error *unknown_source(const char *name, size_t length)
{
	const char *names[ARRAY_SIZE(all_sources)];
	size_t num_names = 0;
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		names[num_names++] = (*ops)->name;

	struct error *err = error_create(ERROR_USAGE, "unknown source '%.*s'", (int)length, name);
	const char *nearest = nearest_name(name, names, num_names);
	if (nearest)
		return error_with_hint(err, "did you mean '%s'? wperf detect shows all sources",
				       nearest);
	return error_with_hint(err, "wperf detect shows all sources");
}

struct error *source_select(const char *spec, const struct source_ops **ret_ops,
			    struct source_settings *ret_settings)
{
	const char *name = spec && *spec ? spec : all_sources[0]->name;
	size_t length = strcspn(name, ",");
	for (const struct source_ops *const *ops = all_sources; *ops; ops++) {
		if (strlen((*ops)->name) != length || strncmp((*ops)->name, name, length) != 0)
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
