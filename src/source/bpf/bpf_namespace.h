/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_BPF_BPF_NAMESPACE_H
#define WPERF_SOURCE_BPF_BPF_NAMESPACE_H

/** Programs in the kernel know processes by the numbers of the first PID namespace. */

#include "base/error.h"

/** The error says that we know processes by other numbers. */
struct error *bpf_namespace_check(void);

#endif
