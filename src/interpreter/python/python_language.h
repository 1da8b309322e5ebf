/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_PYTHON_LANGUAGE_H
#define WPERF_INTERPRETER_PYTHON_PYTHON_LANGUAGE_H

/** Python, as reports call it. */

#include "profile/interpreted/language.h"

extern const struct language python_language;

#endif
