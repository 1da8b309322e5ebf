/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_INTERPRETER_TOY_TOY_DUMP_H
#define WPERF_TESTS_INTERPRETER_TOY_TOY_DUMP_H

/** The only thread of a process with the toy, for `dump`. */

#include "interpreter/interpreter_dump.h"

extern const struct dump_ops toy_dump_ops;

#endif
