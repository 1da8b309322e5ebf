// SPDX-License-Identifier: Apache-2.0

#include "tests/baremetal/report.h"

#include "tests/baremetal/console.h"

void report_begin(struct report *report, const char *name)
{
	report->name = name;
	report->has_failed = false;
	report->is_skipped = false;
}

static void begin_line(const struct report *report, const char *verdict)
{
	console_text(verdict);
	console_text(" ");
	console_text(report->name);
}

void report_end(struct report *report)
{
	if (report->has_failed) {
		report->failed++;
	} else if (!report->is_skipped) {
		report->passed++;
		begin_line(report, "ok");
		console_text("\n");
	}
}

void report_skip(struct report *report, const char *why)
{
	report->is_skipped = true;
	begin_line(report, "skip");
	console_text(": ");
	console_text(why);
	console_text("\n");
}

void report_finish(const struct report *report)
{
	console_text("RESULT ");
	console_number(report->passed);
	console_text(" passed, ");
	console_number(report->failed);
	console_text(" failed\n");
}

void report_check(struct report *report, const char *what, uint64_t value, uint64_t low,
		  uint64_t high)
{
	if (value >= low && value <= high)
		return;
	report->has_failed = true;
	begin_line(report, "FAIL");
	console_text(": ");
	console_text(what);
	console_text(" is ");
	console_number(value);
	console_text(", not ");
	console_number(low);
	if (low != high) {
		console_text(" to ");
		console_number(high);
	}
	console_text("\n");
}
