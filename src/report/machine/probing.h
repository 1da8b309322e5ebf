/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_REPORT_MACHINE_PROBING_H
#define WPERF_REPORT_MACHINE_PROBING_H

/** What each source can do here: the facts of which `detect` and `setup` make their texts. */

#include "base/error.h"
#include "source/probe.h"

/**
 * Probe all sources and hand over what was found, one after the other; ends with the first error.
 * @source: as of --source: that one is probed with its settings; or NULL.
 */
struct error *probing_visit(const char *source,
			    struct error *(*visit)(void *context, const char *source,
						   const struct probe *probe),
			    void *context);

#endif
