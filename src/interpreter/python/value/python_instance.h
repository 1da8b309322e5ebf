/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_INSTANCE_H
#define WPERF_INTERPRETER_PYTHON_VALUE_PYTHON_INSTANCE_H

/** Reads the attributes of an instance of a class that a class statement made. */

#include "interpreter/python/value/python_dict.h"

/** Its attributes, without those of its class. False: it has none, or they cannot be read. */
bool python_instance_read(const struct python_runtime *runtime, uint64_t object,
			  struct python_dict *ret);

#endif
