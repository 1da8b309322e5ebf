// SPDX-License-Identifier: Apache-2.0

#include "report/notes/unsampled_notes.h"

#include "view/layout/decimal.h"

#include <inttypes.h>
#include <stdio.h>

// Two things leave CPU time without samples. Processes that live shorter than a period of the
// event: a build with thousands of compiler runs of a few milliseconds has most of its time there.
// And programs that the kernel refuses to sample from their exec on (set-user-id ones). Neither can
// be seen in the samples, so the counts of the same events are compared: what was counted but no
// sample stands for is missing. Notes are printed only where that is enough to mislead.

enum { LEAST_PROCESSES = 10, LEAST_SAMPLES = 10, LEAST_PERCENT = 5 };

static const double ns_per_second = 1e9;

/** 0: there are no samples. */
static double events_per_sample(const struct sample_totals *samples)
{
	uint64_t num_taken = samples->num_generated - samples->num_lost;
	return num_taken ? (double)samples->num_sampled / (double)num_taken : 0;
}

/** What no sample stands for. Lost samples stand for as much as the others, on average. */
static uint64_t missing_events(const struct sample_totals *samples)
{
	// num_sampled is the sum of the periods of all samples that arrived.
	double known = (double)samples->num_sampled +
		       events_per_sample(samples) * (double)samples->num_lost;
	return known < (double)samples->num_counted ? samples->num_counted - (uint64_t)known : 0;
}

/** At most. Other processes have events between their samples, too, but never longer lives. */
static uint64_t events_of_unsampled(const struct sample_totals *samples,
				    const struct process_lives *lives)
{
	uint64_t missing = missing_events(samples);
	return samples->is_time && lives->unsampled_ns < missing ? lives->unsampled_ns : missing;
}

static double percent_of(const struct sample_totals *samples, uint64_t events)
{
	return samples->num_counted ? 100 * (double)events / (double)samples->num_counted : 0;
}

static bool do_short_ones_matter(const struct sample_totals *samples,
				 const struct process_lives *lives)
{
	return samples->follows_processes && lives->num_unsampled >= LEAST_PROCESSES &&
	       percent_of(samples, events_of_unsampled(samples, lives)) >= LEAST_PERCENT;
}

/** Without a lost record: it may have been that of the program's mapping. */
static bool are_there_barred(const struct sample_totals *samples,
			     const struct profile_builder_totals *totals)
{
	return samples->follows_processes && totals->lives.num_barred && !totals->num_lost;
}

static void print_short_ones(const struct sample_totals *samples, const struct process_lives *lives,
			     const char *event, FILE *stream)
{
	uint64_t events = events_of_unsampled(samples, lives);
	fprintf(stream,
		"note: %s of %s processes ended without a sample; together they used at most ",
		decimal_grouped(lives->num_unsampled).text, decimal_grouped(lives->num_ended).text);
	if (samples->is_time)
		fprintf(stream, "%.3f s of CPU time", (double)events / ns_per_second);
	else
		fprintf(stream, "%s %s", decimal_grouped(events).text, event);
	fprintf(stream, " (%.0f %% of the recording's); a higher -F, or -a, samples them\n",
		percent_of(samples, events));
}

static void print_barred(const struct process_lives *lives, FILE *stream)
{
	fputs("note: Linux stopped sampling at the start of ", stream);
	for (size_t i = 0; i < lives->num_barred_names; i++)
		fprintf(stream, "%s'%s'", i ? ", " : "", lives->barred[i]);
	fprintf(stream,
		"%s: its rights are more than those of its user, or its user may not read it; as "
		"root, -a samples it\n",
		lives->num_barred_names == PROCESS_LIVES_MAX_NAMES ? " and maybe others" : "");
}

/**
 * The timer of clock events skips periods that end before its interrupt does. Only with
 * interpreted frames does that take long enough. 0 for few samples: each thread ends within a
 * period.
 */
static uint64_t skipped_ns(const struct sample_totals *samples, const struct process_lives *lives)
{
	if (!samples->is_time || !samples->has_all_modes || !samples->walks_ns)
		return 0;
	// What is left when the short processes have had their share, at most.
	uint64_t skipped = missing_events(samples) - events_of_unsampled(samples, lives);
	bool are_few = (double)skipped < LEAST_SAMPLES * events_per_sample(samples);
	return are_few || percent_of(samples, skipped) < LEAST_PERCENT ? 0 : skipped;
}

void unsampled_notes_print_attached(const struct sample_totals *samples, FILE *stream)
{
	if (!samples->num_generated)
		fputs("note: no samples: the processes did not run, or only their children did; "
		      "-p samples children that start later; name those that run already with "
		      "-p, too, or use -a\n",
		      stream);
}

void unsampled_notes_print(const struct sample_totals *samples,
			   const struct profile_builder_totals *totals, const char *event,
			   FILE *stream)
{
	if (do_short_ones_matter(samples, &totals->lives))
		print_short_ones(samples, &totals->lives, event, stream);
	if (are_there_barred(samples, totals))
		print_barred(&totals->lives, stream);
	uint64_t skipped = skipped_ns(samples, &totals->lives);
	if (skipped)
		fprintf(stream,
			"note: no samples of %.3f s of CPU time (%.0f %%): interrupts took longer "
			"than the time between two samples, or threads ended within it; a lower -F "
			"avoids the former\n",
			(double)skipped / ns_per_second, percent_of(samples, skipped));
}

void unsampled_notes_write_json(const struct sample_totals *samples,
				const struct profile_builder_totals *totals, const char *event,
				struct json_writer *json)
{
	const struct process_lives *lives = &totals->lives;
	bool has_short_ones = do_short_ones_matter(samples, lives);
	bool has_barred = are_there_barred(samples, totals);
	uint64_t skipped = skipped_ns(samples, lives);
	if (skipped)
		json_key_u64(json, "skipped_ns", skipped);
	if (!has_short_ones && !has_barred)
		return;
	json_key(json, "unsampled_processes");
	json_begin_object(json);
	if (has_short_ones) {
		json_key_u64(json, "ended", lives->num_ended);
		json_key_u64(json, "ended_without_samples", lives->num_unsampled);
		json_key_text(json, "event", event);
		json_key_u64(json, "events", samples->num_counted);
		json_key_u64(json, "events_without_samples_at_most",
			     events_of_unsampled(samples, lives));
	}
	if (has_barred) {
		json_key(json, "stopped_at_exec");
		json_begin_array(json);
		for (size_t i = 0; i < lives->num_barred_names; i++)
			json_text(json, lives->barred[i]);
		json_end_array(json);
	}
	json_end_object(json);
}
