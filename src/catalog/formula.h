/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FORMULA_H
#define WPERF_CATALOG_FORMULA_H

/**
 * Formulas of metrics: + - * /, unary minus, parentheses, numbers, and names of events.
 * Compiled once, evaluated for every set of counts without allocating.
 *
 * A division by zero makes the whole result 0: nothing happened, nothing to relate. So does what
 * is no finite number in the end; the result is never NaN, infinite or -0.
 */

#include "base/error.h"

#include <stddef.h>

struct formula;

/** Errors show the formula and the place. At most 4096 characters and 64 levels of parentheses. */
struct error *formula_compile(const char *text, struct formula **ret);
void formula_destroy(struct formula *formula);

static inline void formula_destroyp(struct formula **formula)
{
	formula_destroy(*formula);
}

/** The names in the formula, each once, sorted (strcmp). */
size_t formula_num_names(const struct formula *formula);
const char *formula_name(const struct formula *formula, size_t i);

/** @values: one for each name, in the order of formula_name(). */
double formula_evaluate(const struct formula *formula, const double *values);

#endif
