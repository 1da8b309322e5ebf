// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

#include "serve.txt.inc"

static const struct option serve_options[] = {
	{
		.spellings = {"--store"},
		.value = "STORE",
		.kind = OPTION_TEXT,
		AT(store),
		.commands = SERVE,
		.help = "Where profiles are kept: sqlite:FILE.",
		.details = details_store,
	},
	{
		.spellings = {"--listen"},
		.value = "ADDRESS:PORT",
		.kind = OPTION_TEXT,
		AT(listen),
		.commands = SERVE,
		.help = "Listen there (default: 127.0.0.1:4318). Port 0: any free port.",
		.details = details_listen,
	},
};

const struct option_group option_group_serve = OPTION_GROUP("Server", serve_options);
