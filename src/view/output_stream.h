/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_VIEW_OUTPUT_STREAM_H
#define WPERF_VIEW_OUTPUT_STREAM_H

/** Views write without looking back; here they ask whether it has arrived. */

#include "base/error.h"

#include <stdio.h>

/** Flush, and tell whether everything was written, now and before. @name: for the message. */
struct error *output_stream_flush(FILE *stream, const char *name);

#endif
