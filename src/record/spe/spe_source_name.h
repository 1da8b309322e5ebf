/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SPE_SPE_SOURCE_NAME_H
#define WPERF_RECORD_SPE_SPE_SOURCE_NAME_H

/**
 * The name under which WindowsPerf counts a sample, as its reports have names of events there:
 *
 *	LOAD_STORE_ATOMIC-LOAD-GP/retired+level1-data-cache-access+tlb_access
 *
 * Letter by letter, misspellings too. Of events without a word there, nothing is said; without any,
 * where that tool has no defined answer, it is `none`.
 */

#include "base/text/string_builder.h"
#include "record/spe/spe_record.h"

/** Records of the same name have the same key, so that a name is made once for all of them. */
uint32_t spe_source_name_key(const struct spe_record *record);

/** Append the name of a key. */
void spe_source_name_append(struct string_builder *text, uint32_t key);

#endif
