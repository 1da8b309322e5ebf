/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_RECORD_SAMPLE_DECODER_H
#define WPERF_RECORD_SAMPLE_DECODER_H

/** Private to the decoder: the fields of a sample. */

#include "record/perf_data/perf_format.h"
#include "record/perf_data/record_words.h"

/** @words: behind the header; failed if they end before the sample's fields do. */
void sample_decode(const struct perf_format *format, struct record_words *words,
		   struct record *record);

#endif
