// SPDX-License-Identifier: Apache-2.0
// Off-CPU time is the time between a thread leaving its core and coming back (session/off_cpu.h).
// Two things limit it. Without rights for the kernel, the event that samples a leaving thread
// cannot be opened: times are right then, but the native stack is missing. And stacks that are read
// after the event need the thread to stay away for as long as the read takes.

#include "report/notes/off_cpu_notes.h"

#include "session/off_cpu.h"

#include <inttypes.h>
#include <stdio.h>

static const double ns_per_second = 1e9;

static void note_blindness(const char *language, bool has_interpreted, FILE *stream)
{
	fputs("note: no permission to see where threads leave their core: off-cpu has ", stream);
	if (has_interpreted)
		fprintf(stream, "%s lines only, read while threads wait\n", language);
	else
		fputs("no functions\n", stream);
	fputs("hint: run as root, or set kernel.perf_event_paranoid=1\n", stream);
}

void off_cpu_notes_print(const struct sample_totals *samples,
			 const struct profile_builder_totals *totals, const char *language,
			 bool has_interpreted, FILE *stream)
{
	if (samples->has_blind_switches)
		note_blindness(language, has_interpreted, stream);
	if (totals->num_left_out)
		fprintf(stream,
			"note: samples left out, because their thread did not hold the GIL: "
			"%" PRIu64 "\n",
			totals->num_left_out);
	// An empty profile needs a hint, not only a number.
	if (totals->num_left_out && !totals->num_samples)
		fputs("hint: no sample held the GIL; leave out --gil to see all samples\n", stream);
	if (totals->num_gil_unknown)
		fprintf(stream,
			"note: of these, GIL state unknown (CPython 3.6, or a build without a "
			"GIL): %" PRIu64 "\n",
			totals->num_gil_unknown);
	// A thread that was preempted waits for nothing but a core: more load, not a slow disk.
	if (totals->preempted_ns)
		fprintf(stream, "note: %.3f s of off-cpu time was waiting for a free core\n",
			(double)totals->preempted_ns / ns_per_second);
	if (totals->num_unsampled)
		fprintf(stream, "note: lost off-cpu samples: %" PRIu64 "\n", totals->num_unsampled);
	if (totals->num_too_short)
		fprintf(stream,
			"note: off-cpu samples that ended before their %s stack was read: "
			"%" PRIu64 "\n",
			language, totals->num_too_short);
	off_cpu_notes_print_wakes(totals, stream);
}

void off_cpu_notes_print_wakes(const struct profile_builder_totals *totals, FILE *stream)
{
	const uint64_t *ends = totals->num_waits_ended;
	bool has_wakes = ends[WAIT_END_THREAD] || ends[WAIT_END_TIMER] || ends[WAIT_END_INTERRUPT];
	if (has_wakes && ends[WAIT_END_UNKNOWN])
		fprintf(stream,
			"note: waits whose waker is not known: %" PRIu64 " of %" PRIu64 "\n",
			ends[WAIT_END_UNKNOWN],
			ends[WAIT_END_UNKNOWN] + ends[WAIT_END_THREAD] + ends[WAIT_END_TIMER] +
				ends[WAIT_END_INTERRUPT]);
	if (totals->num_cut_wakes)
		fprintf(stream, "note: chains of wakers cut after %d: %" PRIu64 "\n",
			OFF_CPU_MAX_LINKS, totals->num_cut_wakes);
	if (totals->num_bad_wakes)
		fprintf(stream, "note: malformed wake-ups, ignored: %" PRIu64 "\n",
			totals->num_bad_wakes);
}
