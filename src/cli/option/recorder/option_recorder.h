/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CLI_OPTION_RECORDER_OPTION_RECORDER_H
#define WPERF_CLI_OPTION_RECORDER_OPTION_RECORDER_H

/** --ring, --switch-output and what belongs to them, as the recorder wants it. */

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

struct options;
struct recorder_config;

/** Is the recording one of the last samples, or of several files? */
bool options_wants_recorder(const struct options *options);

/**
 * Sizes and times. An error if the words do not fit together.
 * @ret: its events and its path are the caller's to fill in.
 */
struct error *options_recorder_config(const struct options *options, struct recorder_config *ret);

#endif
