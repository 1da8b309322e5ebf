// SPDX-License-Identifier: Apache-2.0

#include "cli/off_cpu_notes.h"

#include <inttypes.h>
#include <stdio.h>

static const double ns_per_second = 1e9;

static void note_blindness(bool with_python)
{
	fprintf(stderr,
		"note: the kernel does not show this user where threads leave their core: %s\n"
		"hint: as root, or with kernel.perf_event_paranoid=1, it does\n",
		with_python ? "off-cpu has lines of Python only, read while they are away"
			    : "off-cpu has no functions");
}

void off_cpu_notes_print(const struct sample_totals *samples, const struct recording_totals *totals,
			 bool with_python)
{
	if (samples->has_blind_switches)
		note_blindness(with_python);
	if (totals->num_left_out)
		fprintf(stderr, "note: samples without the GIL that were left out: %" PRIu64 "\n",
			totals->num_left_out);
	if (totals->num_left_out && !totals->num_samples)
		fputs("hint: none held the GIL of Python: leave --gil out to see what there is\n",
		      stderr);
	if (totals->num_gil_unknown)
		fprintf(stderr,
			"note: of these it is not known, as in CPython 3.6, or there is no GIL: "
			"%" PRIu64 "\n",
			totals->num_gil_unknown);
	if (totals->preempted_ns)
		fprintf(stderr,
			"note: %.3f s of off-cpu threads would have gone on, but had no core\n",
			(double)totals->preempted_ns / ns_per_second);
	if (totals->num_unsampled)
		fprintf(stderr, "note: times off the core whose sample was lost: %" PRIu64 "\n",
			totals->num_unsampled);
	if (totals->num_too_short)
		fprintf(stderr,
			"note: times off the core that were over before Python was looked at: "
			"%" PRIu64 "\n",
			totals->num_too_short);
}
