/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_PRIVILEGES_H
#define WPERF_BASE_OS_PRIVILEGES_H

/**
 * Rights that wperf's file gives to a caller who does not have them: file capabilities, set-user-ID
 * and set-group-ID.
 */

#include "base/error.h"

/** For hints: how root gives the members of a group, and nobody else, capabilities by wperf. */
#define PRIVILEGES_HINT(capabilities)                                                    \
	"for the members of a group only, as root: chgrp GROUP wperf; chmod 750 wperf; " \
	"setcap " capabilities "+ep wperf"

/**
 * To be called before anything else is done. Of what the file lends, only capabilities to count,
 * sample and load BPF programs are kept. The rest is given up for good, so that the kernel itself
 * refuses what the caller may not do: open a file, trace a process, read its memory. A caller who
 * has capabilities without the file (root, ambient capabilities) keeps all.
 */
struct error *privileges_limit(void);

/** Give up what is left: this process then has the rights of its caller, who may trace it. */
struct error *privileges_drop(void);

#endif
