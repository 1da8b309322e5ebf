// SPDX-License-Identifier: Apache-2.0

/** Formulas of metrics: any text compiles or is an error, any values give a finite number. */

#include "base/cleanup.h"
#include "catalog/formula.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void evaluate(const struct formula *formula)
{
	static const double samples[] = {0, 1, 1e300, -3, INFINITY, NAN, 1e-300};
	size_t num_samples = sizeof(samples) / sizeof(samples[0]);
	size_t num_names = formula_num_names(formula);
	_cleanup_free_ double *values = calloc(num_names + 1, sizeof(*values));
	if (!values)
		return;
	for (size_t shift = 0; shift < num_samples; shift++) {
		for (size_t i = 0; i < num_names; i++)
			values[i] = samples[(i + shift) % num_samples];
		if (!isfinite(formula_evaluate(formula, values)))
			abort();
	}
	for (size_t i = 1; i < num_names; i++) {
		if (strcmp(formula_name(formula, i - 1), formula_name(formula, i)) >= 0)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	_cleanup_free_ char *text = calloc(size + 1, 1);
	if (!text)
		return 0;
	memcpy(text, data, size);
	_cleanup_(formula_destroyp) struct formula *formula = NULL;
	_cleanup_(error_destroyp) struct error *err = formula_compile(text, &formula);
	if (!err)
		evaluate(formula);
	return 0;
}
