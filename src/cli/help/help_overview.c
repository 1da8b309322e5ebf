// SPDX-License-Identifier: Apache-2.0

#include "cli/help/help.h"
#include "cli/version.h"

// Laid out by hand for a terminal of 80 columns and 30 lines; unit.help measures it and checks that
// all commands are in it.
static const char overview[] = {
#include "overview.txt.inc"
};

void help_print_overview(FILE *stream)
{
	struct version version = version_get(false);
	fprintf(stream, "wperf %u.%u.%u: " HELP_SENTENCE ".\n", version.major, version.minor,
		version.patch);
	fwrite(overview, 1, sizeof(overview), stream);
}
