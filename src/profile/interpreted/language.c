// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/language.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// The names of recordings stand in headings, messages, JSON and HTML: only what is harmless
// everywhere is a name, so that none of these has to escape it.

enum { LANGUAGE_NAME_MAX = 31 };

static const char *const no_folders[] = {NULL};

const struct language language_unknown = {
	.name = "interpreted code",
	.package_folders = no_folders,
};

bool language_is_name(const char *name)
{
	static const char fit[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
				  "+#.- ";
	size_t length = strlen(name);
	return length && length <= LANGUAGE_NAME_MAX && strspn(name, fit) == length &&
	       name[0] != ' ' && name[length - 1] != ' ';
}

struct language *language_create(const char *name)
{
	size_t size = strlen(name) + 1;
	struct language *language = malloc(sizeof(*language) + size);
	if (!language)
		return NULL;
	char *copy = (char *)(language + 1);
	memcpy(copy, name, size);
	*language = language_unknown;
	language->name = copy;
	return language;
}
