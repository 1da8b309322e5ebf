// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/language.h"

#include <stddef.h>

static const char *const no_folders[] = {NULL};

const struct language language_unknown = {
	.name = "interpreted code",
	.package_folders = no_folders,
};
