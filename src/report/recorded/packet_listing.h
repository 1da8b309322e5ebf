/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_RECORDED_PACKET_LISTING_H
#define WPERF_REPORT_RECORDED_PACKET_LISTING_H

#include "base/error.h"

struct options;

/** script --packets: what SPE wrote, a packet a line, as `perf report -D` has it. */
struct error *packet_listing_print(const struct options *options);

#endif
