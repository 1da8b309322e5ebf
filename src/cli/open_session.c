// SPDX-License-Identifier: Apache-2.0

#include "cli/open_session.h"

#include "base/number.h"
#include "catalog/core_list.h"
#include "cli/options.h"

#include <string.h>

static struct session_config config_of(const struct options *options)
{
	return (struct session_config){
		.source = options->source,
		.events_dir = options->events_dir,
		.force_lock = options->force_lock,
		.extra_events = options->extra_events.items,
		.num_extra_events = options->extra_events.num_items,
		.metric_files = options->metric_files.items,
		.num_metric_files = options->metric_files.num_items,
	};
}

struct error *open_source_session(const struct options *options, struct session *session)
{
	struct session_config config = config_of(options);
	return session_open(session, &config);
}

/** The first core of -c decides whose tables are at hand; whether it exists is checked later. */
static unsigned first_core(const char *cores)
{
	uint64_t core = 0;
	if (cores)
		number_parse_decimal(cores, strcspn(cores, ",-"), &core);
	return core < UINT32_MAX ? (unsigned)core : 0;
}

static bool names_a_cpu(const struct options *options)
{
	const char *cpu = options->cores;
	return cpu && options->command == COMMAND_LIST && (*cpu < '0' || *cpu > '9');
}

struct error *open_catalogue_session(const struct options *options, struct session *session)
{
	struct session_config config = config_of(options);
	config.with_catalog = true;
	if (names_a_cpu(options))
		config.cpu = options->cores;
	else
		config.core = first_core(options->cores);
	struct error *err = session_open(session, &config);
	if (err || config.cpu || !options->cores)
		return err;

	_cleanup_(core_list_deinit) struct core_list cores = CORE_LIST_INIT;
	return core_list_parse(options->cores, session->info.num_cores, &cores);
}
