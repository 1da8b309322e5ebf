/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_FORMULA_H
#define WPERF_CATALOG_FORMULA_H

/**
 * Formulas of metrics: + - * /, unary minus, parentheses, numbers, and names of events. They are
 * compiled once and evaluated without allocation.
 *
 * If there is a division by zero, or the result is not finite, the result is 0: there was nothing
 * to relate. It is never NaN, infinite or -0.
 */

#include "base/error.h"

#include <stddef.h>

struct formula;

/** Errors have the formula and the position. At most 4096 characters and 64 nested parentheses. */
struct error *formula_compile(const char *text, struct formula **ret);
void formula_destroy(struct formula *formula);

static inline void formula_destroyp(struct formula **formula)
{
	formula_destroy(*formula);
}

/** The names in the formula, each once, sorted by strcmp(). */
size_t formula_num_names(const struct formula *formula);
const char *formula_name(const struct formula *formula, size_t i);

/** @values: one for each name, in the order of formula_name(). */
double formula_evaluate(const struct formula *formula, const double *values);

#endif
