/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTIONS_H
#define WPERF_CLI_OPTION_OPTIONS_H

/** The words of the user, taken apart. Texts point into argv or the environment. */

#include "base/error.h"
#include "base/text/string_builder.h"
#include "cli/command.h"
#include "session/setup/run_request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct symbol_path;

struct text_list {
	const char **items;
	size_t num_items, cap_items;
};

#define DURATION_NONE UINT64_MAX
#define DELAY_ENDLESS (UINT64_MAX - 1) /* until another program says so */
#define NUMBER_NONE   UINT32_MAX
#define NUMBER_MAX    UINT32_MAX /* of OPTION_RATE: as much as there is */

struct options {
	enum command_id command;
	bool empty;                 /* nothing was said, --compat apart */
	struct text_list arguments; /* words that are neither command nor option */

	bool compat; /* behave as wperf 3.8.0 where that differs */
	bool verbose, quiet;
	bool json;
	bool lend_capabilities, undo, dry_run; /* of setup */
	const char *group;
	bool clean; /* of etw */
	const char *output, *output_csv, *output_prefix;

	struct counted_word *counted;
	size_t num_counted, cap_counted;
	const char *cores;
	struct text_list extra_events; /* -E */
	struct text_list metric_files; /* -C */
	struct text_list config;
	bool kernel;
	uint32_t dmc;
	const char *pids;
	bool per_thread, per_core, detailed;
	bool by_core, by_die, by_socket, by_node; /* sums of stat */
	const char *cgroup, *each_cgroup;         /* of stat: -G, and --for-each-cgroup */
	const char *by_cache;                     /* likewise: "L2", or "" for the last level */
	bool null_run;                            /* no events but those that were named */
	bool append;                              /* to the file of -o */
	const char *separator;                    /* of CSV */
	bool timestamps, json_lines;
	const char *html;
	uint32_t metric_precision, repeat;

	uint64_t timeout_ns, at_ns;
	uint64_t start_delay_ns; /* of stat; DURATION_NONE: not said; DELAY_ENDLESS */
	const char *control;     /* of stat and record */
	bool timeline;
	uint64_t period_ns; /* -I */
	uint64_t interval_ns;
	uint32_t count;

	const char *image_name, *pe_file, *pdb_file;
	bool annotate, disassemble, display_long, export_perf_data;
	uint32_t display_rows; /* NUMBER_NONE: not said, see options_rows() */
	const char *symbol;
	uint32_t spawn_delay_ms;
	bool callers, system_wide;
	bool branches; /* of record */
	const char *fields;
	bool children, no_children;
	bool by_role;
	bool tui, no_browse; /* browse a report, or print it, wherever it goes */
	bool wide;           /* names as long as they are */
	bool idle;           /* samples of idle CPUs are samples like others */
	const char *call_graph, *save, *python;
	bool stop; /* threads, to read their Python */
	bool archive;
	uint32_t stack_bytes, frequency;
	bool off_cpu, wakers, only_with_gil;
	const char *ring, *switch_output; /* of record */
	struct text_list triggers;        /* likewise */
	uint32_t switch_max_files;        /* likewise; 0: all */
	bool waits;                       /* of trace and report */
	bool sched;                       /* of record: waits in run queues */

	const char *input, *diff, *fail_above, *sort, *tree, *percent_limit, *spe;
	struct symbol_path *pdb_places; /* NULL before options_open_symbol_path() */
	const char *event, *thread, *module, *time_range, *sysroot, *symbol_path;
	bool packets; /* of script */

	const char *from, *service, *since, *until, *host, *debug_dir; /* of stores */
	const char *token, *token_file; /* of servers; the first is that of WPERF_TOKEN */
	struct text_list labels;
	uint64_t window_ns, keep_ns, keep_hours_ns;
	uint64_t max_request_time_ns; /* of serve */
	uint32_t max_per_address;     /* connections to serve; 0: a quarter of all */

	const char *server, *spool, *spool_size,
		*probability; /* of agent; the first also of debug-upload */
	struct text_list service_rules;
	const char *service_rules_file;
	uint32_t budget; /* 0: no limit */
	bool once;
	const char *store, *listen, *tokens, *new_token, *max_request; /* of serve */
	bool init;                                                     /* of serve */
	const char *max_byte_rate;                                     /* likewise */
	uint32_t max_rate, max_services, max_labels;                   /* likewise */
	uint64_t query_ns;                                             /* likewise */
	bool insecure;                                                 /* likewise */

	const char *source_file;    /* of annotate */
	uint32_t display_functions; /* likewise */
	uint64_t delay_ns;          /* of top */
	bool lines;                 /* of symbols and agent */
	bool locals;                /* of dump */
	bool async;                 /* of dump, record and sample */

	const char *source;
	const char *events_dir;
	bool force_lock;
	bool force;
	bool anonymous;
	bool schema;        /* of export */
	const char *format; /* of help */

	char **own_words; /* those that took the place of another tool's command; or NULL */
	char *const *command_line; /* all words, the program's name first */
	char *const *spawn;        /* the program to start, ends with NULL; NULL: there is none */
	size_t num_spawn;
	char *const *clock; /* a program beside -p or -a, which only says for how long; or NULL */

	struct string_builder warnings; /* lines for stderr */
};

#define OPTIONS_INIT                                                                            \
	{                                                                                       \
		.command = COMMAND_NONE, .dmc = NUMBER_NONE, .timeout_ns = DURATION_NONE,       \
		.at_ns = DURATION_NONE, .start_delay_ns = DURATION_NONE,                        \
		.interval_ns = DURATION_NONE, .period_ns = DURATION_NONE,                       \
		.display_rows = NUMBER_NONE, .display_functions = 5, .delay_ns = DURATION_NONE, \
		.metric_precision = 3, .repeat = 1, .window_ns = DURATION_NONE,                 \
		.max_request_time_ns = DURATION_NONE, .keep_ns = DURATION_NONE,                 \
		.keep_hours_ns = DURATION_NONE, .max_rate = 1000, .max_services = 2000,         \
		.max_labels = 200000, .query_ns = UINT64_C(60000000000),                        \
	}

void options_deinit(struct options *options);

enum { DEFAULT_ROWS = 50, NATIVE_ROWS_BESIDE_PYTHON = 10 };

/** How many rows a table has, 0 for all; @if_left_out where the user did not say. */
static inline uint32_t options_rows(const struct options *options, uint32_t if_left_out)
{
	return options->display_rows == NUMBER_NONE ? if_left_out : options->display_rows;
}

/**
 * A client of WindowsPerf reads what is printed. Visual Studio's extension takes any word on
 * standard error for a failure and shows it instead of the result: there are no notes for it.
 */
static inline bool options_have_client(const struct options *options)
{
	return options->compat && options->json;
}

/** Where PDBs are looked for: --symbol-path, else the one of --pdb_file, and _NT_SYMBOL_PATH. */
struct error *options_open_symbol_path(struct options *options);

#endif
