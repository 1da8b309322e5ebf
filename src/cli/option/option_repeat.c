// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include <string.h>

#include "repeat.txt.inc"

// Two ways to count repeatedly: -I is perf's, with rows as time goes by; -t, -i and -n are
// WindowsPerf's, with a file of CSV.

/** Of -D: events stay off until another program switches them on. */
static bool is_endless_delay(const char *word)
{
	return !strcmp(word, "-1");
}

static const struct option repeat_options[] = {
	{
		.spellings = {"-r", "--repeat"},
		.value = "TIMES",
		.kind = OPTION_NUMBER,
		AT(repeat),
		.min = 1,
		.max = 1000000,
		.commands = STAT,
		.help = "Run the program TIMES times; print mean and deviation.",
	},
	{
		.spellings = {"-I"},
		.value = "MS",
		.kind = OPTION_PERIOD,
		AT(period_ns),
		// A millisecond: shorter periods would measure the reading of the counters.
		.min = 1000000,
		.commands = STAT,
		.help = "Show counts every MS milliseconds; 1s or 5m also works.",
		.details = details_interval,
	},
	{
		.spellings = {"-t"},
		.kind = OPTION_FLAG,
		AT(timeline),
		.commands = STAT | TEST,
		.help = "Timeline: count repeatedly; write each count as CSV.",
		.details = details_timeline,
	},
	{
		.spellings = {"-i"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(interval_ns),
		.commands = STAT | TEST,
		.help = "Timeline: pause between two counts (default: 60 s).",
	},
	{
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = STAT | TEST,
		.help = "Timeline and -I: number of counts (default: until Ctrl-C).",
	},
	{
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = TOP,
		.help = "Number of tables (default: until Ctrl-C).",
	},
	{
		.spellings = {"--delay"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(delay_ns),
		.commands = TOP,
		.help = "Time between two tables (default: 2 s).",
	},
	{
		.spellings = {"--output-csv"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output_csv),
		.commands = STAT | TEST,
		.help = "Timeline: name of the CSV file.",
	},
	{
		.spellings = {"--timestamps"},
		.kind = OPTION_FLAG,
		AT(timestamps),
		.commands = STAT,
		.help = "Timeline: begin each CSV line with the time.",
	},
	{
		.spellings = {"--json-lines"},
		.kind = OPTION_FLAG,
		// JSON that is complete after each line, for readers that follow the file.
		AT(json_lines),
		.commands = STAT,
		.help = "Timeline: print one JSON object per count and line.",
	},
	{
		.spellings = {"-D", "--delay"},
		.value = "MS",
		.kind = OPTION_PERIOD,
		AT(start_delay_ns),
		.may_be_value = is_endless_delay,
		.commands = STAT,
		.help = "Begin to count after MS milliseconds; -1: at 'enable' of --control.",
	},
	{
		.spellings = {"--control"},
		.value = "CHANNEL",
		.kind = OPTION_TEXT,
		AT(control),
		.commands = STAT,
		.help = "Take commands from another program: fd:CTL[,ACK] or fifo:CTL[,ACK].",
		.details = details_control,
	},
	{
		.spellings = {"--null"},
		.kind = OPTION_FLAG,
		// perf stat --null: how long a program takes when nothing is counted.
		AT(null_run),
		.commands = STAT,
		.help = "Count no events, only measure times.",
		.is_rare = true,
	},
};

const struct option_group option_group_repeat = OPTION_GROUP("Repetition", repeat_options);
