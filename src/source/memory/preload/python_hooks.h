/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_SOURCE_MEMORY_PYTHON_HOOKS_H
#define WPERF_SOURCE_MEMORY_PYTHON_HOOKS_H

/**
 * Samples the objects of CPython, which it allocates in arenas of its own. To be installed before
 * the interpreter starts; does nothing in other programs.
 */
void python_hooks_install(void);

#endif
