// SPDX-License-Identifier: Apache-2.0
// A token is looked up by its hash: who measures how long that takes learns about hashes of what he
// sent, which he cannot choose.

#include "server/tenant/access_tokens.h"

#include "base/container/array.h"
#include "base/file/file_map.h"
#include "base/os/random_bytes.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"
#include "base/text/text_lines.h"
#include "server/tenant/tenant.h"

#include <stdio.h>
#include <string.h>

enum { ACCESS_TOKENS_MAX_LINE = 256, ACCESS_TOKENS_RANDOM_SIZE = 32 };

static const char access_tokens_form[] = "TENANT read|write|both sha256:HASH";

static bool access_tokens_set_access(struct access_token *token, const char *word)
{
	token->may_read = strcmp(word, "read") == 0 || strcmp(word, "both") == 0;
	token->may_write = strcmp(word, "write") == 0 || strcmp(word, "both") == 0;
	return token->may_read || token->may_write;
}

/** @digits: lower or upper case. */
static bool access_tokens_set_hash(struct access_token *token, const char *digits)
{
	if (strlen(digits) != SHA256_TEXT_SIZE - 1)
		return false;
	for (size_t i = 0; i < SHA256_SIZE; i++) {
		uint64_t byte;
		if (number_parse_hex(digits + 2 * i, 2, false, &byte) != NUMBER_OK)
			return false;
		token->hash[i] = (uint8_t)byte;
	}
	return true;
}

static const char *access_tokens_add_words(struct access_tokens *tokens, char *line)
{
	char *rest = NULL;
	const char *tenant = strtok_r(line, " \t", &rest), *access = strtok_r(NULL, " \t", &rest);
	const char *hash = strtok_r(NULL, " \t", &rest), *more = strtok_r(NULL, " \t", &rest);
	struct access_token *token = &tokens->items[tokens->num_items];
	*token = (struct access_token){.tenant = NULL};
	if (!hash || more)
		return "not three words";
	if (!tenant_is_name(tenant))
		return "a tenant is lower-case letters, digits and '_', at most 32";
	if (!access_tokens_set_access(token, access))
		return "the second word is read, write or both";
	if (strncmp(hash, "sha256:", 7) != 0 || !access_tokens_set_hash(token, hash + 7))
		return "the third word is sha256: and 64 hexadecimal digits";
	token->tenant = strdup(tenant);
	tokens->num_items += token->tenant != NULL;
	return token->tenant ? NULL : "out of memory";
}

static struct error *access_tokens_add_line(struct access_tokens *tokens, struct text_line line,
					    const char *path, size_t number)
{
	char text[ACCESS_TOKENS_MAX_LINE];
	const char *fault = "the line is too long";
	struct error *err =
		array_reserve(&tokens->items, &tokens->cap_items, tokens->num_items + 1);
	if (err)
		return err;
	if (line.length < sizeof(text) && !memchr(line.text, '\0', line.length)) {
		memcpy(text, line.text, line.length);
		text[line.length] = '\0';
		if (!text[strspn(text, " \t")] || text[strspn(text, " \t")] == '#')
			return NULL;
		fault = access_tokens_add_words(tokens, text);
	}
	if (!fault)
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "%s:%zu: %s", path, number, fault),
			       "a line is '%s'; 'wperf serve --new-token TENANT:write' makes one",
			       access_tokens_form);
}

struct error *access_tokens_read(const char *path, struct access_tokens *ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(text_lines_deinit) struct text_lines lines = TEXT_LINES_INIT;
	_cleanup_(access_tokens_deinit) struct access_tokens tokens = ACCESS_TOKENS_INIT;
	struct error *err = file_map_open(&map, path);
	if (!err)
		err = text_lines_init(&lines, map.data, map.size);
	for (size_t i = 1; !err && i <= lines.num_lines; i++)
		err = access_tokens_add_line(&tokens, text_lines_get(&lines, i), path, i);
	if (!err && !tokens.num_items)
		err = error_with_hint(error_create(ERROR_FAILED, "'%s' has no tokens", path),
				      "'wperf serve --new-token TENANT:write' makes one");
	if (err)
		return err;
	*ret = tokens;
	tokens = (struct access_tokens)ACCESS_TOKENS_INIT;
	return NULL;
}

void access_tokens_deinit(struct access_tokens *tokens)
{
	for (size_t i = 0; i < tokens->num_items; i++)
		free(tokens->items[i].tenant);
	free(tokens->items);
	*tokens = (struct access_tokens)ACCESS_TOKENS_INIT;
}

static uint8_t access_tokens_difference(const uint8_t *a, const uint8_t *b)
{
	uint8_t difference = 0;
	for (size_t i = 0; i < SHA256_SIZE; i++)
		difference |= a[i] ^ b[i];
	return difference;
}

const struct access_token *access_tokens_find(const struct access_tokens *tokens, const char *text)
{
	uint8_t hash[SHA256_SIZE];
	const struct access_token *found = NULL;
	sha256(text, strlen(text), hash);
	for (size_t i = 0; i < tokens->num_items; i++)
		if (!access_tokens_difference(hash, tokens->items[i].hash))
			found = &tokens->items[i];
	return found;
}

static struct error *access_tokens_refuse(const char *words)
{
	return error_with_hint(error_create(ERROR_USAGE,
					    "--new-token: not a tenant and its "
					    "rights: '%s'",
					    words),
			       "write TENANT:read, TENANT:write or TENANT:both; a tenant is "
			       "lower-case letters, digits and '_'");
}

struct error *access_tokens_make(const char *words, char **ret_token, char **ret_line)
{
	struct access_token checked;
	uint8_t bytes[ACCESS_TOKENS_RANDOM_SIZE];
	char digits[SHA256_TEXT_SIZE], hash[SHA256_TEXT_SIZE];
	const char *colon = strchr(words, ':');
	_cleanup_free_ char *tenant = colon ? strndup(words, (size_t)(colon - words)) : NULL;
	if (!tenant || !tenant_is_name(tenant) || !access_tokens_set_access(&checked, colon + 1))
		return access_tokens_refuse(words);
	struct error *err = random_bytes_fill(bytes, sizeof(bytes));
	if (err)
		return err;
	// The digits of a hash of random bytes are as random as they are.
	sha256_text(bytes, sizeof(bytes), digits);
	_cleanup_free_ char *token = NULL, *line = NULL;
	if (asprintf(&token, "wp_%s", digits) < 0)
		token = NULL;
	if (!token)
		return &error_no_memory;
	sha256_text(token, strlen(token), hash);
	if (asprintf(&line, "%s %s sha256:%s", tenant, colon + 1, hash) < 0)
		return &error_no_memory;
	*ret_token = take_ptr(token);
	*ret_line = take_ptr(line);
	return NULL;
}
