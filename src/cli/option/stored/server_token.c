// SPDX-License-Identifier: Apache-2.0

#include "cli/option/stored/server_token.h"

#include "base/http/bearer_token.h"

#include <string.h>

struct error *server_token_read(const struct options *options, char **ret)
{
	const char *variable = options->token;
	if (options->token_file)
		return bearer_token_read(options->token_file, ret);
	if (variable && *variable)
		return bearer_token_take("WPERF_TOKEN", variable, ret);
	*ret = strdup("");
	return *ret ? NULL : &error_no_memory;
}
