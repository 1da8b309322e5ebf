// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "store.txt.inc"

static const struct option store_options[] = {
	{
		.spellings = {"--from"},
		.value = "STORE",
		.kind = OPTION_TEXT,
		AT(from),
		.commands = STORED,
		.help = "Read from a store of a fleet instead of a recording: sqlite:FILE.",
		.details = details_from,
	},
	{
		.spellings = {"--service"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(service),
		.commands = STORED,
		.help = "With --from: only this service.",
	},
	{
		.spellings = {"--service"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(service),
		.commands = STORE,
		.help = "put: the service that was recorded.",
	},
	{
		.spellings = {"--since"},
		.value = "TIME",
		.kind = OPTION_TEXT,
		AT(since),
		.commands = STORED,
		.help = "With --from: since then: 2h ago, 2026-03-01T12:30 (UTC), @SECONDS.",
		.details = details_since,
	},
	{
		.spellings = {"--since"},
		.value = "TIME",
		.kind = OPTION_TEXT,
		AT(since),
		.commands = STORE,
		.help = "put: when the recording began, if it does not say.",
	},
	{
		.spellings = {"--until"},
		.value = "TIME",
		.kind = OPTION_TEXT,
		AT(until),
		.commands = STORED,
		.help = "With --from: until then, as --since.",
	},
	{
		.spellings = {"--host"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(host),
		.commands = STORED,
		.help = "With --from: only this host.",
	},
	{
		.spellings = {"--host"},
		.value = "NAME",
		.kind = OPTION_TEXT,
		AT(host),
		.commands = STORE,
		.help = "put: the host (default: that of the recording).",
	},
	{
		.spellings = {"--label"},
		.value = "KEY=VALUE",
		.kind = OPTION_TEXTS,
		AT(labels),
		.commands = STORED,
		.help = "With --from: only what has this label. Repeat it for several.",
	},
	{
		.spellings = {"--label"},
		.value = "KEY=VALUE",
		.kind = OPTION_TEXTS,
		AT(labels),
		.commands = STORE,
		.help = "put: a label of the recording. Repeat it for several.",
	},
	{
		.spellings = {"--window"},
		.value = "DURATION",
		.kind = OPTION_DURATION,
		AT(window_ns),
		.min = 1000000000,
		.commands = STORE,
		.help = "put: sum up samples of so much time (default: 60 s).",
	},
	{
		.spellings = {"--keep"},
		.value = "DURATION",
		.kind = OPTION_DURATION,
		AT(keep_ns),
		.commands = STORE,
		.help = "trim: keep windows so long (default: 14d).",
	},
	{
		.spellings = {"--keep-hours"},
		.value = "DURATION",
		.kind = OPTION_DURATION,
		AT(keep_hours_ns),
		.commands = STORE,
		.help = "trim: keep sums of hours so long (default: 396d).",
	},
};

const struct option_group option_group_store = OPTION_GROUP("Stores", store_options);
