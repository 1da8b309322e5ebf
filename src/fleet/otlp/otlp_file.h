/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_FILE_H
#define WPERF_FLEET_OTLP_OTLP_FILE_H

/** A file with one request of OTLP profiles, as it is sent: plain, or compressed by gzip. */

#include "fleet/otlp/otlp_decoder.h"

#include <stdbool.h>

/**
 * All batches of the file as one, which has at least one event.
 * @is_forced: also a file of another user.
 * @ret: set only on success.
 */
struct error *otlp_file_read(const char *path, bool is_forced, struct fleet_batch *ret);

#endif
