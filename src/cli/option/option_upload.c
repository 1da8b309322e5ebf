// SPDX-License-Identifier: Apache-2.0

#include "cli/option/option_table.h"

static const struct option upload_options[] = {
	{
		.spellings = {"--server"},
		.value = "URL",
		.kind = OPTION_TEXT,
		AT(server),
		.commands = DEBUG_UPLOAD,
		.help = "The server that gets them: http://HOST:4318.",
	},
	{
		.spellings = {"--token-file"},
		.value = "FILE",
		.kind = OPTION_TEXT,
		AT(token_file),
		.commands = DEBUG_UPLOAD,
		.help = "The first line of this file is the token, which must allow to write.",
	},
};

const struct option_group option_group_upload = OPTION_GROUP("Upload", upload_options);
