/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_PRIVILEGES_H
#define WPERF_BASE_OS_PRIVILEGES_H

/**
 * Rights that wperf's file gives to a caller who does not have them: file capabilities, set-user-ID
 * and set-group-ID.
 */

#include "base/error.h"

#include <stdbool.h>

/** For hints: how root gives the members of a group, and nobody else, capabilities by wperf. */
#define PRIVILEGES_HINT "for the members of a group, as root: wperf setup --capabilities"

/** The same for those who may use sudo. */
#define PRIVILEGES_COMMAND "sudo wperf setup --capabilities"

/**
 * To be called before anything else is done. Of what the file lends, only capabilities to count,
 * sample and load BPF programs are kept. The rest is given up for good, so that the kernel itself
 * refuses what the caller may not do: open a file, trace a process, read its memory. A caller who
 * has capabilities without the file (root, ambient capabilities) keeps all.
 */
struct error *privileges_limit(void);

/** Is the caller root? */
bool privileges_are_root(void);

/** Give up what is left of what the file lends; what the caller has by himself stays. */
struct error *privileges_drop_lent(void);

/** Give up what is left: this process then has the rights of its caller, who may trace it. */
struct error *privileges_drop(void);

#endif
