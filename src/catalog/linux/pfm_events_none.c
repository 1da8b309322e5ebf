// SPDX-License-Identifier: Apache-2.0
// For builds without libpfm4's header, and for CPUs that are not x86.

#include "base/text/string_builder.h"
#include "catalog/linux/pfm_events.h"

struct error *pfm_events_load(struct catalog *catalog, const char *sysfs,
			      struct string_builder *notes)
{
	string_builder_append(notes,
			      "events of libpfm4 are not listed: wperf was built without it\n");
	return NULL;
}
