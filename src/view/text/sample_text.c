// SPDX-License-Identifier: Apache-2.0
#include "view/sample_report.h"

#include "view/layout/decimal.h"
#include "view/layout/safe_text.h"
#include "view/text/sample_table.h"

#include <inttypes.h>
#include <string.h>

// The text of WindowsPerf's sample, down to its rules and the widths of its columns.
//
// ======================= sample source: cpu-clock, top 50 hot functions ========================
//	        overhead  count  symbol
//	        ========  =====  ======
//	           97.87    138  add
//	            1.42      2  finish_task_switch.isra.0:[kernel]
//	           99.29%   140  top 2 in total
//
//	            0.153693 seconds time elapsed

enum {
	TIME_COLUMNS = 20,
	NAME_COLUMNS = 32,
	GAP_COLUMNS = 10,
	HEX_DIGITS = 20,
	OVERHEAD_COLUMNS = 16,
	COUNT_COLUMNS = 6,
};

static void sample_text_print_safe(const char *text, FILE *stream)
{
	safe_text_print(text, strlen(text), stream);
}

/** Nothing at all if @text is NULL. */
static void print_line_with(const char *before, const char *text, const char *after, FILE *stream)
{
	if (!text)
		return;
	fputs(before, stream);
	sample_text_print_safe(text, stream);
	fputs(after, stream);
}

static void sample_text_print_modules(const struct sample_report *report, FILE *stream)
{
	static const char rule[] = "================================\n";
	fputs(rule, stream);
	for (size_t i = 0; i < report->num_modules; i++) {
		const struct sample_module *module = &report->modules[i];
		size_t width = safe_text_width(module->name, strlen(module->name));
		fprintf(stream, "%*s", width < NAME_COLUMNS ? (int)(NAME_COLUMNS - width) : 0, "");
		sample_text_print_safe(module->name, stream);
		fprintf(stream, "%*s0x%0*" PRIx64 "%*s", GAP_COLUMNS, "", HEX_DIGITS,
			module->address, GAP_COLUMNS, "");
		print_line_with("", module->path, "\n", stream);
	}
	fputs(rule, stream);
}

void sample_report_print_image(const struct sample_report *report, FILE *stream)
{
	if (report->verbose) {
		if (report->command_line) {
			print_line_with("pe_file '", report->pe_file ? report->pe_file : "", "'",
					stream);
			print_line_with(", args '", report->command_line, "'\n\n", stream);
		}
		print_line_with("sampling type: ", report->sampling_type, "\n", stream);
		if (report->has_pid && report->pe_file) {
			sample_text_print_safe(report->pe_file, stream);
			fprintf(stream, " pid is %" PRIu64 "\n", report->pid);
		}
		sample_text_print_modules(report, stream);
	}
	if (!report->has_base)
		return;
	print_line_with("base address of '", report->image_name ? report->image_name : "", "'",
			stream);
	fprintf(stream, ": 0x%04" PRIx64 ", runtime delta: 0x%04" PRIx64 "\n", report->base_address,
		(uint64_t)report->runtime_delta);
}

static struct error *sample_text_print_function(const struct sample_report *report,
						const struct sample_function *function,
						FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err =
		sample_table_lines(function, report->has_disassembly, SAMPLE_LINES_ALL, &table);
	if (err)
		return err;
	print_line_with("", function->name, "\n", stream);
	table_print(table, report->layout, stream);
	fputc('\n', stream);
	return NULL;
}

static struct error *print_rows(const struct sample_report *report,
				const struct sample_event_report *event, FILE *stream)
{
	_cleanup_(table_destroyp) struct table *table = NULL;
	struct error *err = sample_table_rows(event, &table);
	if (!err)
		table_print(table, report->layout, stream);
	return err;
}

static struct error *sample_text_print_event(const struct sample_report *report,
					     const struct sample_event_report *event, FILE *stream)
{
	print_line_with("======================== sample source: ", event->type, "", stream);
	fprintf(stream, ", top %" PRIu64 " hot functions ========================\n",
		report->max_rows);
	print_line_with("", event->model, "\n", stream);
	if (event->num_idle)
		fprintf(stream, "%s %% idle (%s samples left out; --idle shows them)\n",
			decimal_fixed(event->idle_percent, 1).text,
			decimal_grouped(event->num_idle).text);
	struct error *err = NULL;
	for (size_t i = 0; !err && i < event->num_functions; i++)
		err = sample_text_print_function(report, &event->functions[i], stream);
	if (err)
		return err;
	for (size_t i = 0; report->verbose && i < event->num_pcs; i++)
		fprintf(stream, "pc:\t0x%0*" PRIx64 "\t%8" PRIu64 "\n", HEX_DIGITS,
			event->pcs[i].address, event->pcs[i].count);
	err = print_rows(report, event, stream);
	if (err)
		return err;
	// Behind its table, also if the row limit was hit: the peer has it in front then.
	fprintf(stream, "%*s%% %*" PRIu64 "  top %zu in total\n", OVERHEAD_COLUMNS,
		decimal_fixed(event->top_overhead, 2).text, COUNT_COLUMNS - 1, event->top_count,
		event->num_top);
	return NULL;
}

struct error *sample_report_print(const struct sample_report *report, FILE *stream)
{
	double rate =
		report->generated ? 100.0 * (double)report->dropped / (double)report->generated : 0;
	if (report->verbose)
		fprintf(stream,
			"=================\n"
			"sample generated: %" PRIu64 "\n"
			"sample dropped  : %" PRIu64 "\n"
			"sample drop rate: %s%%\n",
			report->generated, report->dropped, decimal_fixed(rate, 2).text);
	struct error *err = report->num_events ? NULL : print_rows(report, NULL, stream);
	for (size_t i = 0; !err && i < report->num_events; i++)
		err = sample_text_print_event(report, &report->events[i], stream);
	if (!err && report->has_elapsed)
		fprintf(stream, "\n%*s seconds time elapsed\n", TIME_COLUMNS,
			decimal_seconds(report->elapsed_ns).text);
	return err;
}
