// SPDX-License-Identifier: Apache-2.0
// Windows has no events of its own that could be opened by number.

#include "catalog/linux/system_events.h"

struct error *system_events_load(struct catalog *catalog, unsigned sets, const char *sysfs,
				 struct string_builder *notes)
{
	return NULL;
}

const struct system_event *system_events_find_generic(const char *name)
{
	return NULL;
}
