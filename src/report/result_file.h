/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RESULT_FILE_H
#define WPERF_REPORT_RESULT_FILE_H

/**
 * A file that the user named for results: JSON, text, a page, an export. It is replaced when the
 * new one is complete (base/file/file_draft.h), and it never replaces a recording.
 */

#include "base/error.h"
#include "base/file/file_draft.h"

#include <stdbool.h>
#include <stdio.h>

struct result_file {
	FILE *stream;
	const char *path; /* as the user wrote it */
	/* private */
	struct file_draft draft;
};

#define RESULT_FILE_INIT \
	{                \
	}

/** @path must outlive the file. */
struct error *result_file_open(const char *path, struct result_file *ret);

/** The same behind what the file has; one that is not there is empty. */
struct error *result_file_open_behind(const char *path, struct result_file *ret);

/** See file_draft_close(). */
struct error *result_file_close(struct result_file *file);

/** Without result_file_close(), the old file is unchanged. */
void result_file_deinit(struct result_file *file);

/** An error if @path is a recording: for files that are written in place, as a timeline's. */
struct error *result_file_check(const char *path);

/** What the end of a file's name asks for. */
enum result_format {
	RESULT_ANY, /* nothing that we know */
	RESULT_RECORDING,
	RESULT_TEXT,
	RESULT_JSON,
	RESULT_CSV,
	RESULT_HTML,
	RESULT_PPROF,
	RESULT_OTLP,
	RESULT_FIREFOX,
	RESULT_SPEEDSCOPE,
	RESULT_COLLAPSED,
	RESULT_SVG,
	RESULT_PICTURE, /* .png, .pdf: nobody here draws one */
};
enum result_format result_format_of(const char *path);

/** Of formats that can be both: does its name ask for gzip? */
bool result_file_is_compressed(const char *path);

/**
 * For a command that cannot write what @path asks for: the error that says so, and which command
 * can. @input: the recording to name in the hint, or NULL.
 */
struct error *result_format_refuse(const char *command, const char *path, const char *input)
	__attribute__((returns_nonnull));

#endif
