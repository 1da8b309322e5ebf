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
};

const struct option_group option_group_upload = OPTION_GROUP("Upload", upload_options);
