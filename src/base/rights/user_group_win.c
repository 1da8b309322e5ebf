// SPDX-License-Identifier: Apache-2.0

#include "base/rights/user_group.h"

static struct error *user_group_refuse(void)
{
	return error_create(ERROR_FAILED, "groups have no part in this on Windows");
}

bool user_group_may_be(const char *name)
{
	return *name;
}

struct error *user_group_find(const char *name, uint32_t *ret)
{
	return user_group_refuse();
}

struct error *user_group_command(const char *name, char **ret)
{
	return user_group_refuse();
}

struct error *user_group_create(const char *name)
{
	return user_group_refuse();
}
