/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_ETL_FILE_ETL_SIBLINGS_H
#define WPERF_RECORD_ETL_FILE_ETL_SIBLINGS_H

#include "record/etl/file/etl_file_set.h"

/**
 * Tools write a file for each session ("x.etl", "x.kernel.etl") and join them at the end. Where
 * that was not done, the others are added to a set that has "x.etl". A file "x.*.etl" is one of
 * them if the same user owns it and it was written on the same machine at the same time; all others
 * are passed over in silence.
 */
struct error *etl_siblings_add(struct etl_file_set *set, const char *path);

#endif
