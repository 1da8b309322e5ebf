// SPDX-License-Identifier: Apache-2.0
// Only Linux has PMUs in files.

#include "catalog/linux/sysfs_terms.h"

bool sysfs_terms_is(const char *word)
{
	return false;
}

struct error *sysfs_terms_find(struct catalog *catalog, const char *word, const struct event **ret,
			       struct sysfs_rate *ret_rate)
{
	*ret = NULL;
	return NULL;
}
