// SPDX-License-Identifier: Apache-2.0
// A session is a source with its catalog. Most commands open one the same way; what differs is what
// they do with -c. For `list` it may be the name of a CPU, whose tables need no source. For the
// others the first core decides whose tables are used, before the source can report how many cores
// there are: a list of cores that does not exist is refused when the source is open.
//
// Two letters have another sense in perf: -c (a period) and -C (CPUs). When their value fits only
// perf's sense, the error has a hint.

#include "cli/option/option_session.h"

#include "base/file/file_path.h"
#include "base/os/privileges.h"
#include "base/text/number.h"
#include "catalog/core_list.h"
#include "cli/option/options.h"
#include "report/notes/diagnostics.h"
#include "session/setup/absent_source.h"

#include <string.h>

static struct session_config config_of(const struct options *options)
{
	return (struct session_config){
		.source = options->source,
		.events_dir = options->events_dir,
		.force_lock = options->force_lock,
		.compat = options->compat,
		.extra_events = options->extra_events.items,
		.num_extra_events = options->extra_events.num_items,
		.metric_files = options->metric_files.items,
		.num_metric_files = options->metric_files.num_items,
	};
}

/**
 * The emulator, and programs that sample themselves, read memory of ours by /proc, which the kernel
 * closes to them while wperf has rights that they have not (base/os/privileges.h); such a source
 * needs none.
 */
static struct error *open_session_with(const struct session_config *config, struct session *session)
{
	struct error *err = session_open(session, config);
	// Without a source: the tables of a CPU alone.
	const struct source_ops *ops = !err && session->source ? session->source->ops : NULL;
	bool shares_memory = ops && (ops->wrap_command || ops->environment);
	return shares_memory ? privileges_drop_lent() : err;
}

struct error *open_source_session(const struct options *options, struct session *session)
{
	struct session_config config = config_of(options);
	return open_session_with(&config, session);
}

/** perf's -C N is a CPU; ours is a file. */
static struct error *check_metric_files(const struct options *options)
{
	const struct text_list *files = &options->metric_files;
	for (size_t i = 0; !options->compat && i < files->num_items; i++) {
		const char *file = files->items[i];
		bool is_core_list = *file && !file[strspn(file, "0123456789,-")];
		if (is_core_list && file_path_kind(file) == FILE_PATH_ABSENT)
			return error_with_hint(
				error_create(ERROR_USAGE,
					     "-C reads metrics from a file, and there "
					     "is no file '%s'",
					     file),
				"-c %s chooses CPUs", file);
	}
	return NULL;
}

/** perf's -c N is the period of all events; ours is a core. */
static struct error *hint_at_period(const struct options *options, struct error *err)
{
	const unsigned sampling = 1U << COMMAND_SAMPLE | 1U << COMMAND_RECORD | 1U << COMMAND_TOP;
	bool is_number = !options->cores[strspn(options->cores, "0123456789")];
	if (!err || options->compat || !is_number || !(sampling & 1U << options->command))
		return err;
	return error_with_hint(err,
			       "-c chooses CPUs; a sampling period stands behind its event: "
			       "-e EVENT:%s",
			       options->cores);
}

struct error *open_catalogue_session(const struct options *options, struct session *session)
{
	struct session_config config = config_of(options);
	struct error *err = check_metric_files(options);
	if (err)
		return err;
	// Notes about tables that are missing are for people, and for commands that show names of
	// events.
	config.with_catalog = true;
	config.note_missing_table =
		!options->compat && !options->quiet && !options->json &&
		(options->command == COMMAND_LIST || options->command == COMMAND_STAT);
	// `list -c neoverse-v2` reads the tables of a CPU that is not here.
	const char *cpu = options->cores;
	uint64_t core = 0;
	if (cpu && options->command == COMMAND_LIST && (*cpu < '0' || *cpu > '9'))
		config.cpu = cpu;
	else if (cpu)
		number_parse_decimal(cpu, strcspn(cpu, ",-"), &core);
	// The first core decides whose tables are at hand; whether it exists is checked later.
	config.core = core < UINT32_MAX ? (unsigned)core : 0;
	err = open_session_with(&config, session);
	// Only now is the number of cores known that -c is checked against.
	if (err || config.cpu || !options->cores)
		return err;

	_cleanup_(core_list_deinit) struct core_list cores = CORE_LIST_INIT;
	return hint_at_period(options,
			      core_list_parse(options->cores, session->info.num_cores, &cores));
}

struct error *open_stand_in_session(const struct options *options,
				    const struct source_ops *stand_in, struct session *session)
{
	// A shallow copy: only the source differs.
	struct options with_other = *options;
	if (stand_in)
		with_other.source = stand_in->traits.name;
	return open_catalogue_session(&with_other, session);
}

bool session_may_be_absent(const struct options *options, const struct error *failure,
			   const char *what, const char *hint)
{
	_cleanup_(string_builder_deinit) struct string_builder notes = STRING_BUILDER_INIT;
	if (options->json || options->compat ||
	    !absent_source_explains(options->source, failure, what, hint, &notes))
		return false;
	if (!options->quiet)
		diagnostics_print_notes(string_builder_peek(&notes), stderr);
	return true;
}
