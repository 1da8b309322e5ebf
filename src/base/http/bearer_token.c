// SPDX-License-Identifier: Apache-2.0

#include "base/http/bearer_token.h"

#include "base/file/file_map.h"

#include <string.h>

enum { BEARER_TOKEN_MAX_SIZE = 4096 };

/** What stands in front of the first character that a token cannot have. */
static size_t bearer_token_length(const char *text, size_t size)
{
	size_t length = 0;
	while (length < size && text[length] > ' ' && text[length] <= '~')
		length++;
	return length;
}

static struct error *bearer_token_copy(const char *text, size_t length, char **ret)
{
	char *token = strndup(text, length);
	if (!token)
		return &error_no_memory;
	*ret = token;
	return NULL;
}

struct error *bearer_token_read(const char *path, char **ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	struct error *err = file_map_open(&map, path);
	if (err)
		return err;
	const char *text = map.data ? map.data : "";
	size_t length = bearer_token_length(text, map.size);
	bool is_line = length == map.size || text[length] == '\n' || text[length] == '\r';
	if (length && is_line && length <= BEARER_TOKEN_MAX_SIZE)
		return bearer_token_copy(text, length, ret);
	return error_with_hint(error_create(ERROR_FAILED, "'%s' has no token", path),
			       "its first line is the token, in plain ASCII without spaces");
}

struct error *bearer_token_take(const char *name, const char *text, char **ret)
{
	size_t size = strlen(text), length = bearer_token_length(text, size);
	if (length && length == size && length <= BEARER_TOKEN_MAX_SIZE)
		return bearer_token_copy(text, length, ret);
	return error_with_hint(error_create(ERROR_USAGE, "%s is not a token", name),
			       "a token is plain ASCII without spaces");
}
