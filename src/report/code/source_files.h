/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_CODE_SOURCE_FILES_H
#define WPERF_REPORT_CODE_SOURCE_FILES_H

/** The texts of source files by the paths that debug information has, each opened once. */

#include "base/error.h"
#include "base/file/file_map.h"
#include "base/text/text_lines.h"
#include "profile/source_users.h"

#include <stdbool.h>
#include <stddef.h>

struct source_file; /* private */

struct source_files {
	const char *sysroots; /* ":" between them, looked in first; or NULL */
	struct source_file **items;
	size_t num_items, cap_items;
	struct source_users users; /* nobody's until source_files_set_profile() */
	bool is_anonymous;         /* no text is shown */
};

/** @sysroots: must outlive the files. */
static inline struct source_files source_files_create(const char *sysroots)
{
	return (struct source_files){.sysroots = sysroots};
}
void source_files_deinit(struct source_files *files);

/** Whose programs named the files: see base/file/file_rights.h. Files of an anonymous profile are
 * not opened. @profile: must outlive the files. */
struct error *source_files_set_profile(struct source_files *files,
				       const struct named_profile *profile);

struct source_text {
	const struct text_lines *lines; /* NULL: it cannot be read, because of ... */
	const char *refusal;            /* ... this */
};

/** @ret: valid as long as the files. An error is one of memory only. */
struct error *source_files_get(struct source_files *files, const char *path,
			       struct source_text *ret);

/** One line, as views ask for it. @files: a struct source_files. @ret: none if it cannot be read.
 */
struct error *source_files_line(void *files, const char *path, uint32_t line,
				struct text_line *ret);

/** The file itself; it is the caller's. Pipes and devices are refused: they may have no end. */
struct error *source_files_open(const struct source_files *files, const char *path,
				struct file_map *ret);

#endif
