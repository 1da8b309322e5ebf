// SPDX-License-Identifier: Apache-2.0

#include "base/os/privileges.h"

#include <stddef.h>

// A file gives no rights here.
struct error *privileges_limit(void)
{
	return NULL;
}

struct error *privileges_drop_lent(void)
{
	return NULL;
}

bool privileges_are_root(void)
{
	return false;
}

struct error *privileges_drop(void)
{
	return NULL;
}
