/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_SAMPLE_REPORT_H
#define WPERF_VIEW_SAMPLE_REPORT_H

/**
 * Everything that `sample` and `record` show, ready to be printed: nothing is computed or sorted
 * here but that JSON has its events by name. Tables and JSON have the peer's names, order and
 * formats. Texts may come from anywhere; they are made harmless.
 */

#include "base/error.h"
#include "view/layout/table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct json_writer;

/** A row of the table of hot functions. */
struct sample_row {
	double overhead; /* per cent of all samples of the event */
	uint64_t count;
	const char *symbol; /* "x_mul:python312_d.dll" */
};

struct sample_pc {
	uint64_t address;
	uint64_t count;
	const char *symbol;
};

struct sample_instruction {
	uint64_t address; /* within the module */
	const char *text; /* "ldr   x8, [sp, #0x20]" */
};

/** A line of source code; with disassembly, one address of it and the code of the line. */
struct sample_line {
	uint64_t line_number;
	uint64_t hits;
	const char *filename;
	uint64_t instruction_address; /* within the module; this and the next: disassembly only */
	const struct sample_instruction *instructions;
	size_t num_instructions;
};

struct sample_function {
	const char *name;
	const struct sample_line *lines; /* most hits first */
	size_t num_lines;
};

/** An event that has samples. */
struct sample_event_report {
	const char *type;  /* its name; "cycle" for the fixed counter */
	const char *model; /* what stands in for hardware that counts it, in words; or NULL */
	uint64_t interval;
	uint64_t num_idle; /* samples of idle CPUs, which are not among the rows */
	double idle_percent;
	const struct sample_row *rows; /* most hits first; only those that --symbol lets through */
	size_t num_rows;
	/** What the row limit has left, those among it that --symbol hides, too. */
	size_t num_top;
	uint64_t top_count;
	double top_overhead;
	const struct sample_pc *pcs; /* for verbose */
	size_t num_pcs;
	const struct sample_function *functions; /* --annotate */
	size_t num_functions;
};

struct sample_module {
	const char *name, *path;
	uint64_t address;
};

struct sample_report {
	bool verbose;
	bool has_disassembly;
	struct table_layout layout;
	uint64_t max_rows; /* --sample-display-row */

	/** The image. Lines of texts that are NULL are not printed. */
	const char *image_name, *pe_file, *pdb_file;
	const char *command_line;  /* verbose: of the program that is started */
	const char *sampling_type; /* verbose: "software sampling" */
	bool has_pid;              /* verbose: of what was started */
	uint64_t pid;
	bool has_base;
	uint64_t base_address; /* of its entry point as it runs */
	int64_t runtime_delta; /* from where its file wants to be */
	const struct sample_module *modules;
	size_t num_modules;

	uint64_t generated, dropped;
	const struct sample_event_report *events; /* as texts have them: cycles, then by index */
	size_t num_events;
	bool has_elapsed;
	uint64_t elapsed_ns;
};

/** What is known before the first sample: verbose lines about the image, then its base address. */
void sample_report_print_image(const struct sample_report *report, FILE *stream);

/** What came out: numbers of samples if verbose, the events, the time. */
struct error *sample_report_print(const struct sample_report *report, FILE *stream);

/** The object of `sample --json`: {"sampling":{...}}. */
struct error *sample_report_write_json(const struct sample_report *report,
				       struct json_writer *json);

/** Only what is behind "sampling", which SPE has beside counts. */
struct error *sample_report_write_json_value(const struct sample_report *report,
					     struct json_writer *json);

#endif
