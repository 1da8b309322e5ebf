// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_run_requests.h"

#include "base/container/array.h"
#include "cli/option/option_requests.h"

// Requests of the commands that run a program or attach to one; see option_requests.c.

struct run_words options_run_words(const struct options *options)
{
	return (struct run_words){
		.counted = options->counted,
		.num_counted = options->num_counted,
		.cores = options->cores,
		.config = options->config.items,
		.num_config = options->config.num_items,
		.only_warns_of_config = options->compat,
	};
}

static uint64_t options_start_delay(const struct options *options)
{
	if (options->start_delay_ns == DURATION_NONE)
		return 0;
	return options->start_delay_ns == DELAY_ENDLESS ? COUNTING_DISABLED
							: options->start_delay_ns;
}

struct count_request options_count_request(const struct options *options)
{
	bool is_periodic = options->period_ns != DURATION_NONE;
	bool has_end = options->timeout_ns != DURATION_NONE;
	// A timeline ends after -n counts, each of which lasts --timeout. Periods have an end in
	// --timeout, or else in -n. Whether nothing ends the run decides if it needs Ctrl-C.
	bool ends_by_count = options->timeline || (is_periodic && !has_end);
	return (struct count_request){
		.words = options_run_words(options),
		.only_named = options->null_run,
		.with_caches = options->detailed,
		.kernel = options->kernel,
		.per_thread = options->per_thread,
		.raises_limits = true,
		.channel = options->dmc == NUMBER_NONE ? COUNT_ALL_CHANNELS : options->dmc,
		.command = options->spawn,
		.clock = options->clock,
		.command_output = output_of_command(options_output_request(options)),
		.pids = options->pids,
		.cgroups = options->each_cgroup ? options->each_cgroup : options->cgroup,
		.sysroot = options->sysroot,
		.delay_ns = options_start_delay(options),
		.counts_on = is_periodic,
		.is_endless = ends_by_count ? options->count == 0 : !has_end,
	};
}

/** "L2", or "2"; 0 of "": the last one. */
static struct error *parse_cache_level(const char *text, uint32_t *ret)
{
	const char *digit = *text == 'L' || *text == 'l' ? text + 1 : text;
	*ret = 0;
	if (!*text)
		return NULL;
	if (*digit < '1' || *digit > '9' || digit[1])
		return error_with_hint(error_create(ERROR_USAGE, "--per-cache knows no level '%s'",
						    text),
				       "write --per-cache=L2, or --per-cache for the last level");
	*ret = (uint32_t)(*digit - '0');
	return NULL;
}

struct error *options_core_grouping(const struct options *options, struct core_grouping *ret,
				    const char **ret_word)
{
	const struct {
		bool is_said;
		enum core_grouping_kind kind;
		const char *word;
	} rows[] = {
		{options->by_core, CORE_GROUPING_CORE, "--per-core"},
		{options->by_cache != NULL, CORE_GROUPING_CACHE, "--per-cache"},
		{options->by_die, CORE_GROUPING_DIE, "--per-die"},
		{options->by_socket, CORE_GROUPING_SOCKET, "--per-socket"},
		{options->by_node, CORE_GROUPING_NODE, "--per-node"},
		{options->per_core, CORE_GROUPING_NONE, "-A"},
		{options->per_thread, CORE_GROUPING_NONE, "--per-thread"},
	};
	*ret = (struct core_grouping){.kind = CORE_GROUPING_NONE};
	*ret_word = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		if (!rows[i].is_said)
			continue;
		if (*ret_word)
			return error_with_hint(error_create(ERROR_USAGE,
							    "both %s and %s were given", *ret_word,
							    rows[i].word),
					       "one run has one kind of rows");
		if (rows[i].kind)
			*ret_word = rows[i].word;
		if (rows[i].kind)
			ret->kind = rows[i].kind;
	}
	return options->by_cache ? parse_cache_level(options->by_cache, &ret->cache_level) : NULL;
}

struct record_files_request options_record_files(const struct options *options)
{
	return (struct record_files_request){
		.command = commands[options->command].name,
		.save = options->save,
		.output = options->output,
		.html = options->html,
		.exports_perf_data = options->export_perf_data,
		// `sample` keeps one only where it is named. Programs that read our JSON do not
		// expect a file beside it.
		.keeps_recording =
			options->command == COMMAND_RECORD && !options->compat && !options->json,
		.is_output_json = options->json || options->compat,
		.is_quiet = options->quiet,
	};
}

static struct stat_page_request options_stat_page(const struct options *options)
{
	return (struct stat_page_request){
		.path = options->html,
		.arguments = options->command_line,
		.program = options->spawn ? options->spawn[0] : NULL,
	};
}

struct stat_periods_request options_stat_periods(const struct options *options)
{
	return (struct stat_periods_request){
		.period_ns = options->period_ns,
		.timeout_ns = options->timeout_ns,
		.count = options->count,
		.has_command = options->spawn != NULL,
		.output = options_output_request(options),
		.page = options_stat_page(options),
	};
}

/** WindowsPerf always writes CSV. Else it is for who asked for it, or for nothing in its place. */
static bool writes_timeline_csv(const struct options *options)
{
	bool is_named = options->output && !options_writes_timeline_json(options);
	bool has_other = options->html || options_writes_timeline_json(options);
	return options->compat || options->output_csv || options->timestamps || is_named ||
	       !has_other;
}

struct stat_timeline_request options_stat_timeline(const struct options *options)
{
	// Of WindowsPerf: a count of a second, each minute.
	static const uint64_t default_interval_ns = UINT64_C(60) * 1000000000;
	static const uint64_t default_duration_ns = UINT64_C(1) * 1000000000;
	uint64_t interval_ns =
		options->interval_ns == DURATION_NONE ? default_interval_ns : options->interval_ns;
	struct output_request output = options_output_request(options);
	if (!options_writes_timeline_json(options))
		output.path = NULL; // it is that of the CSV
	struct stat_page_request page = options_stat_page(options);
	page.interval_ns = interval_ns;
	return (struct stat_timeline_request){
		.duration_ns = options->timeout_ns == DURATION_NONE ? default_duration_ns
								    : options->timeout_ns,
		.interval_ns = interval_ns,
		.count = options->count,
		.pauses_at_end = options->compat,
		.has_timestamps = options->timestamps,
		.tells_files = options->verbose && !options->json && !options->quiet,
		.writes_csv = writes_timeline_csv(options),
		.name = options_timeline_name(options),
		.page = page,
		.output = output,
	};
}
