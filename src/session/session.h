/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SESSION_SESSION_H
#define WPERF_SESSION_SESSION_H

/** What most commands need: a source, its description of the machine, and a catalogue. */

#include "base/text/string_builder.h"
#include "catalog/metric.h"
#include "source/source.h"

#include <stdbool.h>
#include <stddef.h>

struct session_config {
	const char *source;     /* NULL: the default */
	const char *events_dir; /* or NULL */
	bool force_lock;
	bool with_catalog; /* else only source and info */
	unsigned core;     /* the catalogue is that of its CPU */
	const char *cpu;   /* instead: the tables of this CPU, without a source */
	bool compat;       /* the messages of WindowsPerf 3.8.0 */
	bool note_missing_table;
	const char *const *extra_events;
	size_t num_extra_events;
	const char *const *metric_files;
	size_t num_metric_files;
};

struct session {
	struct source_settings settings;
	struct source *source; /* NULL with session_config.cpu */
	struct source_info info;
	unsigned core; /* see session_config */
	struct catalog catalog;
	struct metric_list metrics;
	struct string_builder warnings; /* lines for the user */
	struct string_builder notes;    /* lines about what is not listed */
};

#define SESSION_INIT \
	{            \
	}

/** Call session_close() also after a failure. */
struct error *session_open(struct session *session, const struct session_config *config);
void session_close(struct session *session);

/** MIDR of the core; 0 if it is not an Arm core, or there is no source. */
uint64_t session_midr(const struct session *session);

/**
 * Adds a line if the core has no table of its own, so that the catalogue shows the events of its
 * architecture. @midr: 0 if it is not an Arm core.
 */
void session_note_missing_table(const struct catalog *catalog, uint64_t midr,
				struct string_builder *notes);

/**
 * A catalogue without a source: the built-in tables and those of @events_dir.
 * @midr: of the core whose tables come first, or 0.
 */
struct error *session_offline_catalog(const char *events_dir, uint64_t midr,
				      struct catalog *catalog);

#endif
