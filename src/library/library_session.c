// SPDX-License-Identifier: Apache-2.0

#include "library/library_session.h"

#include "catalog/cpu.h"
#include "library/library_config.h"
#include "library/library_error.h"

#include <stdlib.h>

const char *wperf_library_version(void)
{
	return WPERF_LIBRARY_VERSION;
}

bool wperf_source_at(size_t number, struct wperf_source *ret)
{
	// A walk, as the table ends with NULL.
	for (size_t i = 0; all_sources[i]; i++) {
		if (i < number)
			continue;
		*ret = (struct wperf_source){
			.name = all_sources[i]->traits.name,
			.summary = all_sources[i]->traits.summary,
		};
		return true;
	}
	return false;
}

static struct error *open_session(const struct wperf_session_config *config,
				  struct wperf_session *session)
{
	const struct session_config inner = {
		.source = config->source,
		.events_dir = config->events_folder,
		.force_lock = config->forces_lock,
		.with_catalog = true,
		.core = config->core,
		.note_missing_table = true,
		.extra_events = &config->extra_events,
		.num_extra_events = config->extra_events != NULL,
		.metric_files = &config->metric_file,
		.num_metric_files = config->metric_file != NULL,
	};
	session->has_default_source = !config->source || !*config->source;
	struct error *err = session_open(&session->session, &inner);
	string_builder_append(&session->notes, string_builder_peek(&session->session.warnings));
	string_builder_append(&session->notes, string_builder_peek(&session->session.notes));
	return err ? err : session_listing_create(&session->session, &session->listing);
}

struct wperf_error *wperf_session_open(const struct wperf_session_config *config,
				       struct wperf_session **ret)
{
	struct wperf_session_config taken;
	if (!library_config_take(config, &taken, sizeof(taken)))
		return library_error_give(library_error_of_size("wperf_session_config"));
	struct wperf_session *session = calloc(1, sizeof(*session));
	if (!session)
		return library_error_give(&error_no_memory);
	struct error *err = open_session(&taken, session);
	if (err)
		wperf_session_close(session);
	else
		*ret = session;
	return library_error_give(err);
}

void wperf_session_close(struct wperf_session *session)
{
	if (!session)
		return;
	session_listing_deinit(&session->listing);
	session_close(&session->session);
	string_builder_deinit(&session->notes);
	free(session);
}

const char *wperf_session_notes(const struct wperf_session *session)
{
	return string_builder_peek(&session->notes);
}

void wperf_session_machine(const struct wperf_session *session, struct wperf_machine *ret)
{
	const struct session *inner = &session->session;
	const struct source_info *info = &inner->info;
	const struct cpu *cpu = inner->catalog.cpu;
	*ret = (struct wperf_machine){
		.source = inner->source->ops->traits.name,
		.description = info->description,
		.cpu = cpu && cpu->title ? cpu->name : NULL,
		.vendor = info->vendor_name,
		.num_cores = info->num_cores,
		.midr = session_midr(inner),
		.num_counters = info->counters_known ? info->counters.free[EVENT_CORE] : 0,
		.can_count = inner->source->ops->count != NULL,
		.can_sample = inner->source->ops->sample != NULL,
		.has_spe = info->has_spe,
	};
}

struct error *library_session_take(struct wperf_session *session)
{
	if (session->is_busy)
		return error_with_hint(error_create(ERROR_USAGE, "the session is in use by another "
								 "count or sampling"),
				       "close that first, or open another session");
	session->is_busy = true;
	return NULL;
}

void library_session_release(struct wperf_session *session)
{
	session->is_busy = false;
}
