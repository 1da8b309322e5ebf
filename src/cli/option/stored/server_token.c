// SPDX-License-Identifier: Apache-2.0

#include "cli/option/stored/server_token.h"

#include "base/file/file_map.h"

#include <stdbool.h>
#include <string.h>

enum { SERVER_TOKEN_MAX_SIZE = 4096 };

struct error *server_token_read(const struct options *options, char **ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	const char *text = options->token ? options->token : "";
	size_t size = strlen(text);
	if (options->token_file) {
		struct error *err = file_map_open(&map, options->token_file);
		if (err)
			return err;
		text = map.data ? map.data : "";
		size = map.size;
	}
	size_t length = 0;
	// Without line ends: it becomes a header of HTTP.
	while (length < size && text[length] >= ' ' && text[length] <= '~')
		length++;
	bool is_fine = length == size || text[length] == '\n' || text[length] == '\r';
	if (options->token_file && (!length || !is_fine || length > SERVER_TOKEN_MAX_SIZE))
		return error_with_hint(error_create(ERROR_FAILED, "'%s' has no token",
						    options->token_file),
				       "its first line is the token, in plain ASCII");
	if (!is_fine)
		return error_create(ERROR_USAGE,
				    "WPERF_TOKEN is not a token: it is not plain ASCII");
	*ret = strndup(text, length);
	return *ret ? NULL : &error_no_memory;
}
