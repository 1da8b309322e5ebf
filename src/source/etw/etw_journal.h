/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_ETW_ETW_JOURNAL_H
#define WPERF_SOURCE_ETW_ETW_JOURNAL_H

/**
 * What a session changes for the whole machine, written to a file of the user before each change:
 * after a kill, etw_session_clean() finds it there. Journals of wperf processes that run belong to
 * these.
 */

#include "base/file/file_path.h"
#include "source/etw/etw_mark.h"
#include "source/etw/etw_undo.h"

struct etw_journal {
	FILE *stream;
	char *path; /* NULL: there is none */
	struct etw_undo undo;
};

#define ETW_JOURNAL_INIT \
	{                \
	}

/** @name: of the session; begins with our mark. */
struct error *etw_journal_create(struct etw_journal *journal, const char *name);

/** To be called before the change. */
struct error *etw_journal_note_file(struct etw_journal *journal, const char *path,
				    bool is_recording);
struct error *etw_journal_note_interval(struct etw_journal *journal, struct etw_interval old);
struct error *etw_journal_note_sampled(struct etw_journal *journal, const uint32_t *sources,
				       size_t num);

/** Set the settings back, and note that. */
struct error *etw_journal_restore(struct etw_journal *journal, const struct etw_calls *calls);

/** The end. Removes the journal's file, unless something is left to be undone.
 *  @keeps_file: of the session: it could not be removed. */
void etw_journal_close(struct etw_journal *journal, bool keeps_file);

/** A journal that was found. What it says is data, not to be trusted. */
struct etw_left {
	const char *path; /* of the journal */
	struct etw_mark mark;
	struct etw_undo undo;
	char *unsafe_file; /* NULL: none */
	bool is_recording; /* what is in it is wanted */
};

/** Calls @visit for each journal in the user's folder, also for those of processes that run. */
struct error *etw_journal_visit(struct error *(*visit)(void *context, struct etw_left *left),
				void *context);

#endif
