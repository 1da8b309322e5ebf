/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_PYTHON_HOOKS_H
#define WPERF_SOURCE_MEMORY_PYTHON_HOOKS_H

/** Samples the objects of CPython, which it allocates in arenas of its own. */

/** Before the interpreter starts; does nothing in other programs. */
void python_hooks_begin(void);

/** From time to time, for interpreters that undo it when they start. */
void python_hooks_check(void);

#endif
