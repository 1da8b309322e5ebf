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
		.help = "Where profiles are kept: sqlite:FILE or clickhouse://HOST:PORT/DB.",
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
	{
		.spellings = {"--tokens"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(tokens),
		.commands = SERVE,
		.help = "Who may read and write: a line TENANT read|write|both sha256:HASH each.",
		.details = details_tokens,
	},
	{
		.spellings = {"--new-token"},
		.value = "TENANT:RIGHTS",
		.kind = OPTION_TEXT,
		AT(new_token),
		.commands = SERVE,
		.help = "Print a new token and its line for the file of --tokens, and end.",
		.details = details_new_token,
	},
	{
		.spellings = {"--insecure"},
		.kind = OPTION_FLAG,
		AT(insecure),
		.commands = SERVE,
		.help = "Let other machines read and write without tokens.",
	},
	{
		.spellings = {"--keep"},
		.value = "DURATION",
		.kind = OPTION_DURATION,
		AT(keep_ns),
		.commands = SERVE,
		.help = "Keep windows so long (default: 14d).",
		.details = details_keep,
	},
	{
		.spellings = {"--keep-hours"},
		.value = "DURATION",
		.kind = OPTION_DURATION,
		AT(keep_hours_ns),
		.commands = SERVE,
		.help = "Keep sums of hours so long (default: 396d).",
	},
	{
		.spellings = {"--max-request"},
		.value = "SIZE",
		.kind = OPTION_TEXT,
		AT(max_request),
		.commands = SERVE,
		.help = "Refuse larger requests (default: 16M; unpacked, four times as much).",
	},
	{
		.spellings = {"--max-rate"},
		.value = "N",
		.kind = OPTION_NUMBER,
		AT(max_rate),
		.min = 1,
		.max = 1000000,
		.commands = SERVE,
		.help = "Batches a second of a tenant, over ten seconds (default: 1000).",
	},
	{
		.spellings = {"--max-services"},
		.value = "N",
		.kind = OPTION_NUMBER,
		AT(max_services),
		.min = 1,
		.max = INT32_MAX,
		.commands = SERVE,
		.help = "Different services of a tenant (default: 2000).",
	},
	{
		.spellings = {"--max-labels"},
		.value = "N",
		.kind = OPTION_NUMBER,
		AT(max_labels),
		.min = 1,
		.max = INT32_MAX,
		.commands = SERVE,
		.help = "Different labels of a tenant's services (default: 200000).",
		.details = details_max_labels,
	},
};

const struct option_group option_group_serve = OPTION_GROUP("Server", serve_options);
