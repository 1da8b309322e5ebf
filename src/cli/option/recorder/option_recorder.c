// SPDX-License-Identifier: Apache-2.0

#include "cli/option/recorder/option_recorder.h"

#include "base/os/host.h"
#include "base/text/byte_size.h"
#include "base/text/duration.h"
#include "cli/option/option_table.h"
#include "session/recorder/record_ring.h"
#include "session/recorder/recorder.h"
#include "session/trigger/trigger_words.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "recorder.txt.inc"

// Sizes and times are told apart by their units: m is minutes, M is megabytes. A number alone could
// be both, and is refused.

enum { RECORDED = 1 << COMMAND_RECORD };

static const struct option recorder_options[] = {
	{
		.spellings = {"--ring"},
		.value = "SIZE|TIME",
		.kind = OPTION_TEXT,
		AT(ring),
		.commands = RECORDED,
		.help = "Keep only the last samples, in memory: 64M or 30s.",
		.details = details_ring,
	},
	{
		.spellings = {"--trigger"},
		.value = "CONDITION",
		.kind = OPTION_TEXTS,
		AT(triggers),
		.commands = RECORDED,
		.help = "Write a file on 'cpu>90%', 'latency>50ms@u:FILE:FUNCTION', more.",
		.details = details_trigger,
		.is_rare = true,
	},
	{
		.spellings = {"--switch-output"},
		.value = "SIZE|TIME|signal",
		.value_if_left_out = "signal",
		.kind = OPTION_TEXT,
		AT(switch_output),
		.commands = RECORDED,
		.help = "Begin a new file by size, by time or on SIGUSR2 (default).",
		.details = details_switch_output,
		.is_rare = true,
	},
	{
		.spellings = {"--switch-max-files"},
		.value = "N",
		.kind = OPTION_NUMBER,
		AT(switch_max_files),
		.min = 1,
		.max = 100000,
		.commands = RECORDED,
		.help = "Keep only the newest N files with a time in their names.",
		.is_rare = true,
	},
	{
		.spellings = {"--control"},
		.value = "fd:CTL[,ACK]|fifo:CTL[,ACK]",
		.kind = OPTION_TEXT,
		AT(control),
		.commands = RECORDED,
		.help = "Take commands from another program.",
		.details = details_control,
		.is_rare = true,
	},
};

const struct option_group option_group_recorder = OPTION_GROUP("Flight recorder", recorder_options);

enum {
	// Of a ring by time, unless the user says another one.
	RING_OF_TIME_BYTES = 256 << 20,
	// A file of less would have little more than what is known of processes.
	PART_MIN_BYTES = 64 << 10,
};

bool options_wants_recorder(const struct options *options)
{
	return options->ring || options->switch_output;
}

static struct error *bad_amount(const char *option, const char *text)
{
	return error_with_hint(error_create(ERROR_USAGE, "%s: '%s' is neither a size nor a time",
					    option, text),
			       "a size has k, M or G (64M), a time s, m, h or d (30s)");
}

/** One of both; the other one is unchanged. */
static struct error *read_amount(const char *option, const char *text, uint64_t *ret_bytes,
				 uint64_t *ret_ns)
{
	size_t length = strlen(text);
	char unit = length ? text[length - 1] : '\0';
	bool is_size = unit && strchr("kKMG", unit), is_time = unit && strchr("smhd", unit);
	uint64_t amount = 0;
	bool is_known = is_size   ? byte_size_parse(text, &amount)
			: is_time ? duration_parse(text, &amount)
				  : strcmp(text, "0") == 0;
	if (!is_known)
		return bad_amount(option, text);
	if (amount == 0)
		return error_with_hint(error_create(ERROR_USAGE, "%s: '%s' keeps nothing", option,
						    text),
				       "name a size such as 64M, or a time such as 30s");
	*(is_size ? ret_bytes : ret_ns) = amount;
	return NULL;
}

static struct error *check_ring_size(uint64_t bytes)
{
	const uint64_t most = (uint64_t)host_read().total_memory_kb << 9; // half of it
	if (bytes < RECORD_RING_MIN_BYTES)
		return error_with_hint(error_create(ERROR_USAGE,
						    "--ring: %" PRIu64 " bytes are too few", bytes),
				       "the smallest ring is %dk", RECORD_RING_MIN_BYTES >> 10);
	if (most && bytes > most)
		return error_with_hint(
			error_create(ERROR_USAGE,
				     "--ring: %" PRIu64 " MB are more than half of the memory",
				     bytes >> 20),
			"this machine has %" PRIu64 " MB: take a smaller ring", most >> 19);
	return NULL;
}

/** "30s", "64M", or both: "30s,64M". */
static struct error *read_ring(const char *text, struct recorder_config *config)
{
	const char *comma = strchr(text, ',');
	_cleanup_free_ char *first = comma ? strndup(text, (size_t)(comma - text)) : strdup(text);
	if (!first)
		return &error_no_memory;
	struct error *err = read_amount("--ring", first, &config->ring_bytes, &config->ring_ns);
	if (!err && comma)
		err = read_amount("--ring", comma + 1, &config->ring_bytes, &config->ring_ns);
	if (err)
		return err;
	if (comma && (!config->ring_bytes || !config->ring_ns))
		return error_with_hint(error_create(ERROR_USAGE,
						    "--ring: '%s' is not a time and a size", text),
				       "write --ring 30s,64M");
	if (!config->ring_bytes)
		config->ring_bytes = RING_OF_TIME_BYTES;
	return check_ring_size(config->ring_bytes);
}

static struct error *read_switch(const char *text, struct recorder_config *config)
{
	if (strcmp(text, "signal") == 0)
		return NULL;
	struct error *err =
		read_amount("--switch-output", text, &config->part_bytes, &config->part_ns);
	if (!err && config->part_bytes && config->part_bytes < PART_MIN_BYTES)
		err = error_with_hint(error_create(ERROR_USAGE,
						   "--switch-output: files of %" PRIu64
						   " bytes are too small",
						   config->part_bytes),
				      "the smallest are %dk", PART_MIN_BYTES >> 10);
	return err;
}

static struct error *check_company(const struct options *options)
{
	if (options->ring && options->switch_output)
		return error_with_hint(
			error_create(ERROR_USAGE, "--ring and --switch-output cannot be combined"),
			"with --ring, each SIGUSR2 and each --trigger writes a file");
	if (options->triggers.num_items && !options_wants_recorder(options))
		return error_with_hint(error_create(ERROR_USAGE, "--trigger needs --ring or "
								 "--switch-output"),
				       "--ring 30s keeps what it writes");
	if (options->switch_max_files && !options_wants_recorder(options))
		return error_with_hint(error_create(ERROR_USAGE, "--switch-max-files needs "
								 "--switch-output or --ring"),
				       "--switch-output=1h begins a file each hour");
	return NULL;
}

/** Before anything is opened. */
static struct error *check_triggers(const struct options *options)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < options->triggers.num_items; i++) {
		struct trigger_words words;
		err = trigger_words_parse(options->triggers.items[i], &words);
		if (!err)
			trigger_words_deinit(&words);
	}
	return err;
}

/** Results are of a whole run; here there are files, some of them long gone. */
static struct error *check_results(const struct options *options)
{
	const struct {
		bool is_wanted;
		const char *option;
	} results[] = {
		{options->html, "--html"},           {options->json, "--json"},
		{options->annotate, "--annotate"},   {options->archive, "--archive"},
		{options->anonymous, "--anonymous"}, {options->spe, "--spe"},
	};
	const char *kind = options->ring ? "--ring" : "--switch-output";
	for (size_t i = 0; i < ARRAY_SIZE(results); i++)
		if (results[i].is_wanted)
			return error_with_hint(error_create(ERROR_USAGE,
							    "%s and %s cannot be combined", kind,
							    results[i].option),
					       "read one of the files: wperf report -i FILE %s",
					       results[i].option);
	return NULL;
}

struct error *options_recorder_config(const struct options *options, struct recorder_config *ret)
{
	struct recorder_config config = {
		.max_files = options->switch_max_files,
		.arguments = options->command_line,
	};
	struct error *err = check_company(options);
	if (!err)
		err = check_triggers(options);
	if (!err && options_wants_recorder(options))
		err = check_results(options);
	if (!err && options->ring)
		err = read_ring(options->ring, &config);
	if (!err && options->switch_output)
		err = read_switch(options->switch_output, &config);
	if (!err)
		*ret = config;
	return err;
}
