/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SYMBOLS_VDSO_H
#define WPERF_SYMBOLS_VDSO_H

/** The object that the running kernel maps into every process: read from our own memory. */

#include "base/error.h"
#include "object/object.h"

struct error *vdso_open(struct object **ret);

#endif
