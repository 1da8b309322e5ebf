// SPDX-License-Identifier: Apache-2.0
// With --compat wperf claims to be WindowsPerf 3.8.0, the release whose behavior it has then
// (docs/decisions/code.md).

#include "cli/version.h"

#include "version_info.h"

struct version version_get(bool compat)
{
	if (compat)
		return (struct version){3, 8, 0, VERSION_GIT, VERSION_FEATURES};
	return (struct version){VERSION_MAJOR, VERSION_MINOR, VERSION_PATCH, VERSION_GIT,
				VERSION_FEATURES};
}

void version_print_header(bool compat, FILE *stream)
{
	struct version version = version_get(compat);
	fprintf(stream, "%s ver. %u.%u.%u (%s/%s%s) %s\n", compat ? "WindowsPerf" : "wperf",
		version.major, version.minor, version.patch, version.git, VERSION_BUILD,
		version.features,
		compat ? "WOA profiling with performance counters."
		       : "profiling with performance counters.");
}
