// SPDX-License-Identifier: Apache-2.0
// The kernel counts by thread and call. Here the threads of a call are summed up, the call with the
// most time comes first, and the lines of samples are shown below, as parts of what the samples of
// the call stand for: counts are exact, parts are not.

#include "report/calls/call_report.h"

#include "base/cleanup.h"
#include "report/calls/call_view.h"
#include "view/layout/decimal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static struct error *call_report_write_all(const struct call_view *view,
					   const struct output *output)
{
	struct error *err = NULL;
	if (output->text)
		err = view->report->shows_waits ? call_tables_print_waits(view, output)
						: call_tables_print_counts(view, output);
	return err || !output->json ? err : call_json_write(view, output->json);
}

static void call_report_print_unreturned(const struct call_sums *sums)
{
	uint64_t num = 0;
	for (size_t i = 0; i < sums->num_items; i++)
		num += sums->items[i].all.num_unreturned;
	if (!num)
		return;
	fprintf(stderr, "note: calls that did not return, and are not in the table: %s (",
		decimal_grouped(num).text);
	const char *comma = "";
	for (size_t i = 0; i < sums->num_items; i++) {
		const struct call_sum *sum = &sums->items[i];
		if (!sum->all.num_unreturned)
			continue;
		fprintf(stderr, "%s%s %" PRIu64, comma, sum->name, sum->all.num_unreturned);
		if (sum->all.unreturned_ns)
			fprintf(stderr, " for %s s",
				decimal_fixed(call_view_seconds(sum->all.unreturned_ns), 3).text);
		comma = ", ";
	}
	fputs(")\n", stderr);
}

static void call_report_print_notes(const struct call_report *report, const struct call_sums *sums)
{
	uint64_t waited = 0, sampled = 0;
	for (size_t i = 0; i < sums->num_items; i++)
		waited += sums->items[i].all.waited_ns;
	for (size_t i = 0; i < report->places->num_items; i++)
		sampled += report->places->items[i].weights[CALL_EVENT_WAIT];
	if (report->shows_waits)
		fprintf(stderr,
			"note: the lines are those of %s samples, which stand for %s s; the kernel "
			"counted %s s\n",
			decimal_grouped(report->places->num_samples).text,
			decimal_fixed(call_view_seconds(sampled), 3).text,
			decimal_fixed(call_view_seconds(waited), 3).text);
	else
		fprintf(stderr, "note: %sthe lines are those of %s samples\n",
			report->table->num_lost ? "" : "counts and times are exact; ",
			decimal_grouped(report->places->num_samples).text);
	call_report_print_unreturned(sums);
	if (report->table->num_lost)
		fprintf(stderr,
			"warning: calls that were not counted, as there were too many "
			"threads: %s; counts and times are too low\n",
			decimal_grouped(report->table->num_lost).text);
}

struct error *call_report_write(const struct call_report *report, struct output_request request)
{
	_cleanup_(call_sums_deinit) struct call_sums sums = {0};
	_cleanup_(short_paths_deinit) struct short_paths paths = {0};
	_cleanup_free_ const struct call_place **sorted =
		calloc(report->places->num_items + 1, sizeof(*sorted));
	if (!sorted)
		return &error_no_memory;
	struct error *err = call_sums_init(&sums, report->table);
	if (!err)
		err = short_paths_create(report->places->profile, &paths);
	if (err)
		return err;
	const struct call_view view = {report, &sums, &paths, sorted};
	_cleanup_(output_deinit) struct output output;
	err = output_open(request, &output);
	if (!err)
		err = call_report_write_all(&view, &output);
	if (!err)
		err = output_close(&output);
	if (!err && !report->is_quiet) {
		fflush(stdout);
		call_report_print_notes(report, &sums);
	}
	return err;
}
