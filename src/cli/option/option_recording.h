/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_OPTION_RECORDING_H
#define WPERF_CLI_OPTION_OPTION_RECORDING_H

/** The recording that the user names, by -i or as a word, and what of it is wanted. */

#include "base/file/memory_stream.h"
#include "cli/option/options.h"
#include "report/recorded/sample_choice.h"

/** Nobody named one: then it is the default. */
bool options_names_no_recording(const struct options *options);

/** The file that was named, or the default. */
const char *options_recording_path(const struct options *options);

/** An error if two files were named. */
struct error *options_check_recording(const struct options *options);

/** By --event, --thread, --module, --symbol and --time. */
struct sample_choice options_sample_choice(const struct options *options);

/**
 * @path: NULL for the recording that was named, or the default. @keeps_samples: each with its time.
 * With --python the profile has frames of Python alone, or none of them.
 */
struct error *options_read_profile(const struct options *options, const char *path,
				   bool keeps_samples, struct named_profile *ret);

/**
 * The recording for a page: the samples that are wanted, each with its time, and the notes that
 * were printed. @path: as above.
 */
struct error *options_read_for_page(const struct options *options, const char *path,
				    struct memory_stream *ret_notes, struct named_profile *ret);

/** Write the recording that was named, or the default, as perf.data to --output. */
struct error *options_copy_recording(const struct options *options);

#endif
