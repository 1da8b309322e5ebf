// SPDX-License-Identifier: Apache-2.0

#include "session/session.h"

#include "catalog/cpu.h"
#include "catalog/file/metric_file.h"
#include "catalog/file/telemetry_json.h"
#include "catalog/midr.h"

#include <inttypes.h>
#include <string.h>

// session_open() goes from the machine to the user: the source is opened and describes the machine,
// the MIDR of the core selects the tables of its CPU, the source adds the events that only it knows
// (those of the kernel and of sysfs), and definitions of the user come last, since a metric may use
// any event from before. With --cpu there is no machine: the tables of the CPU with that name are
// shown as they are.

/** Loaded tables replace ours of the same name, so the CPU at hand is looked up again by name. */
static struct error *choose_cpu(struct catalog *catalog, const char *events_dir, uint64_t midr)
{
	if (events_dir) {
		struct error *err = telemetry_json_load(catalog, events_dir);
		if (err)
			return err;
	}
	if (midr)
		catalog->cpu = catalog_find_cpu(catalog, midr_find_cpu(midr)->name);
	return NULL;
}

struct error *session_offline_catalog(const char *events_dir, uint64_t midr,
				      struct catalog *catalog)
{
	catalog_init(catalog, NULL, &(struct pmu_counters){0});
	return choose_cpu(catalog, events_dir, midr);
}

static struct error *add_user_definitions(struct session *session,
					  const struct session_config *config)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < config->num_extra_events; i++)
		err = catalog_add_extra_events(&session->catalog, config->extra_events[i]);
	for (size_t i = 0; !err && i < config->num_metric_files; i++)
		err = metric_file_load(&session->catalog, config->metric_files[i],
				       &session->warnings);
	return err;
}

/** Where nobody knows, it is as if there were counters enough for anything. An Arm PMU has at most
 *  31: the field of their number, PMCR_EL0.N, has five bits (Arm ARM). */
static const struct pmu_counters plenty = {
	.free = {[EVENT_CORE] = 31},
	.total = {[EVENT_CORE] = 31},
};

static struct error *session_open_source(struct session *session,
					 const struct session_config *config)
{
	const struct source_ops *ops;
	struct error *err = source_select(config->source, &ops, &session->settings);
	if (!err)
		err = ops->open(&session->settings, config->force_lock, &session->source);
	if (!err)
		err = ops->describe(session->source, &session->info);
	return err;
}

static struct error *open_catalog(struct session *session, const struct session_config *config)
{
	const struct source_info *info = &session->info;
	session->core = config->core;
	catalog_init(&session->catalog, NULL, info->counters_known ? &info->counters : &plenty);
	struct error *err =
		choose_cpu(&session->catalog, config->events_dir, session_midr(session));
	if (!err && config->note_missing_table)
		session_note_missing_table(&session->catalog, session_midr(session),
					   &session->warnings);
	if (!err)
		err = session->source->ops->list_events(session->source, &session->catalog,
							&session->notes);
	return err;
}

void session_note_missing_table(const struct catalog *catalog, uint64_t midr,
				struct string_builder *notes)
{
	// A CPU of ours has a title. The tables of an architecture have none.
	if (!midr || !catalog->cpu || catalog->cpu->title)
		return;
	const char *architecture = strcmp(catalog->cpu->name, "armv9-a") ? "Armv8-A" : "Armv9-A";
	const char *title = midr_product_title(midr);
	string_builder_append(notes, "no event table for this CPU (");
	if (title)
		string_builder_append(notes, title);
	else
		string_builder_appendf(notes, "MIDR 0x%08" PRIx64, midr);
	string_builder_appendf(notes, "); using the events of the %s architecture\n", architecture);
}

uint64_t session_midr(const struct session *session)
{
	const struct source_info *info = &session->info;
	return info->core_midr && session->core < info->num_cores ? info->core_midr[session->core]
								  : 0;
}

struct error *session_open(struct session *session, const struct session_config *config)
{
	struct catalog *catalog = &session->catalog;
	struct error *err;
	if (config->cpu) {
		catalog_init(catalog, NULL, &plenty);
		err = choose_cpu(catalog, config->events_dir, 0);
		if (!err)
			err = catalog_require_cpu(catalog, config->cpu, config->compat,
						  &catalog->cpu);
	} else {
		err = session_open_source(session, config);
		if (err || !config->with_catalog)
			return err;
		err = open_catalog(session, config);
	}
	if (!err)
		err = add_user_definitions(session, config);
	if (!err)
		err = metric_list_create(catalog, &session->metrics);
	return err;
}

void session_close(struct session *session)
{
	metric_list_deinit(&session->metrics);
	catalog_deinit(&session->catalog);
	source_info_deinit(&session->info);
	source_close(session->source);
	source_settings_deinit(&session->settings);
	string_builder_deinit(&session->warnings);
	string_builder_deinit(&session->notes);
	*session = (struct session)SESSION_INIT;
}
