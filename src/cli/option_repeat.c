// SPDX-License-Identifier: Apache-2.0

#include "cli/option_table.h"

static const struct option repeat_options[] = {
	{
		.spellings = {"-r", "--repeat"},
		.value = "TIMES",
		.kind = OPTION_NUMBER,
		AT(repeat),
		.min = 1,
		.max = 1000000,
		.commands = STAT,
		.help = "Run the command so often, and show means and how much the runs differ.",
	},
	{
		.spellings = {"-t"},
		.kind = OPTION_FLAG,
		AT(timeline),
		.commands = STAT | TEST,
		.help = "Timeline: count again and again.",
	},
	{
		.spellings = {"-i"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(interval_ns),
		.commands = STAT | TEST,
		.help = "Timeline: the pause between two counts, 60 seconds if left out; 0 is "
			"possible.",
	},
	{
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = STAT | TEST,
		.help = "Timeline: how many counts; 0, the default, goes on until stopped.",
	},
	{
		.spellings = {"-n"},
		.value = "COUNT",
		.kind = OPTION_NUMBER,
		AT(count),
		ANY_NUMBER,
		.commands = TOP,
		.help = "How many tables; 0, the default, goes on until stopped.",
	},
	{
		.spellings = {"--delay"},
		.value = "TIME",
		.kind = OPTION_DURATION,
		AT(delay_ns),
		.commands = TOP,
		.help = "The time between two tables, 2 seconds if left out.",
	},
	{
		.spellings = {"--timestamps"},
		.kind = OPTION_FLAG,
		AT(timestamps),
		.commands = STAT,
		.help = "Timeline: a first column with the time of each count in the CSV file.",
	},
	{
		.spellings = {"--json-lines"},
		.kind = OPTION_FLAG,
		AT(json_lines),
		.commands = STAT,
		.help = "Timeline: one JSON object per count and line, as it comes, instead of one "
			"document at the end.",
	},
	{
		.spellings = {"--output-csv"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(output_csv),
		.commands = STAT | TEST,
		.help = "Timeline: the name of the CSV file.",
	},
};

const struct option_group option_group_repeat = OPTION_GROUP("Repetition", repeat_options);
