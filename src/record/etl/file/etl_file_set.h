/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_FILE_SET_H
#define WPERF_RECORD_ETL_FILE_ETL_FILE_SET_H

/** The files of one recording, and the clock that they share. */

#include "record/etl/file/etl_file.h"

struct etl_file_set {
	struct etl_file **files;
	size_t num_files, cap_files;
	struct file_map *zips; /* with files that are in them as they are */
	size_t num_zips, cap_zips;
	bool has_strangers; /* somebody else may have written one */
	bool is_own_only;   /* set by the caller: then that is an error */
};

#define ETL_FILE_SET_INIT \
	{                 \
	}

/** @file: becomes the set's, also if there is an error. */
struct error *etl_file_set_add(struct etl_file_set *set, struct etl_file *file);

/** A file that the user named, or all ETW files in a zip. */
struct error *etl_file_set_add_path(struct etl_file_set *set, const char *path);

/** Relate the clocks of all files to each other, before events are read. */
void etl_file_set_tie_clocks(struct etl_file_set *set);

/** Do the performance counters of two files show the same at the same time of day? */
bool etl_file_has_same_counter(const struct etl_file *a, const struct etl_file *b);

/** On that clock. */
uint64_t etl_file_start_ns(const struct etl_file *file);

void etl_file_set_deinit(struct etl_file_set *set);

#endif
