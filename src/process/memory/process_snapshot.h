/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROCESS_MEMORY_PROCESS_SNAPSHOT_H
#define WPERF_PROCESS_MEMORY_PROCESS_SNAPSHOT_H

/** Windows only: takes a snapshot of processes, threads or modules. */

#include "base/error.h"

#include <windows.h>

#include <tlhelp32.h>

/** @kind: TH32CS_*. @ret: set only on success; to be closed. */
struct error *process_snapshot_take(DWORD kind, HANDLE *ret);

#endif
