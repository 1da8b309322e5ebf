/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_PACKET_LISTING_H
#define WPERF_REPORT_RECORDED_PACKET_LISTING_H

#include "base/error.h"

#include <stdbool.h>

/**
 * What SPE wrote into the recording at @path, a packet a line, as `perf report -D` has it.
 * @is_forced: it may belong to another user. @output: a file; NULL: standard output.
 */
struct error *packet_listing_print(const char *path, bool is_forced, const char *output);

#endif
