/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SERVER_TENANT_ACCESS_TOKENS_H
#define WPERF_SERVER_TENANT_ACCESS_TOKENS_H

/**
 * Who may do what: a file with a line "TENANT read|write|both sha256:HASH" for each token. It has
 * hashes, so that who reads it, or a backup of it, has no token. '#' begins a comment.
 */

#include "base/error.h"
#include "server/sha256.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct access_token {
	char *tenant;
	bool may_read, may_write;
	uint8_t hash[SHA256_SIZE];
};

struct access_tokens {
	struct access_token *items;
	size_t num_items, cap_items;
};

#define ACCESS_TOKENS_INIT \
	{                  \
	}

/** @ret: set only on success. Errors name the line. */
struct error *access_tokens_read(const char *path, struct access_tokens *ret);
void access_tokens_deinit(struct access_tokens *tokens);

/** NULL: it is none of them. Takes as long for each of them, and for none. */
const struct access_token *access_tokens_find(const struct access_tokens *tokens, const char *text);

/**
 * A new one, of random bytes.
 * @words: "TENANT:read", "TENANT:write" or "TENANT:both".
 * @ret_token, @ret_line: the token, and its line of the file without a line end; to be freed.
 */
struct error *access_tokens_make(const char *words, char **ret_token, char **ret_line);

#endif
