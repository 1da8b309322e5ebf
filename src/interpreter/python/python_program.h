/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_PROGRAM_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_PROGRAM_H

/** Which programs run Python, by names only. Also PyPy, whose frames are not known. */

#include <stdbool.h>

bool python_program_is_name(const char *path);

/** As well; or is it the interpreter as a library? */
bool python_program_is_mapped_as(const char *path);

/** @first_line: of a script. */
bool python_program_runs_script(const char *first_line);

#endif
