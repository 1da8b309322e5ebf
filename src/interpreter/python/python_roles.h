/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_ROLES_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_ROLES_H

/** By which functions Python's own modules and servers tell what a process is for: as of struct
 *  language_role. To add a server: the function that each of its processes is in for as long as it
 *  runs, and a program of tests/live/python_roles.py. */

#include "profile/interpreted/language.h"

extern const struct language_role python_roles[];

/** By the words of a command line: for processes that wait in C, and so are hardly sampled. NULL:
 *  they say nothing. */
const char *python_roles_of_command(const char *command);

#endif
