/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_OS_CONFINEMENT_H
#define WPERF_BASE_OS_CONFINEMENT_H

/**
 * Rights that a command gives up before it reads files that it does not trust. If such a file takes
 * over the process, by a bug in a parser, the kernel refuses it what no reader needs: to run
 * programs, to use the network, to reach other processes, to mount, to load code into the kernel,
 * to change its user. What the process may do with files stays as it was.
 *
 * On Linux, by a seccomp filter on x86-64 and AArch64; docs/security.md has the table of refused
 * calls. They fail with EPERM: nothing is killed. Windows has nothing like it: there it does
 * nothing.
 */

#include "base/error.h"

#include <stdbool.h>

/**
 * Give them up for good, for all threads of this process.
 * @with_network: servers must still be asked.
 *
 * ERROR_ABSENT: this kernel or machine cannot do it, and nothing has changed.
 */
struct error *confinement_begin(bool with_network);

#endif
