// SPDX-License-Identifier: Apache-2.0

#include "source/memory/memory_weight.h"

#include <math.h>

/** More than any machine has; sizes come from outside. */
static const double memory_weight_most = 1e18;

static uint64_t memory_weight_round(double value, double *carry)
{
	if (!(value < memory_weight_most))
		value = memory_weight_most;
	double whole = floor(value + *carry);
	*carry += value - whole;
	return (uint64_t)whole;
}

struct memory_weight memory_weight_of(uint64_t size, uint64_t period, struct memory_carry *carry)
{
	// An allocation of 0 bytes is never sampled.
	double bytes = size ? (double)size : 1;
	// expm1() keeps the digits of small probabilities, which 1 - exp() would lose.
	double probability = -expm1(-bytes / (double)period);
	return (struct memory_weight){
		.bytes = memory_weight_round(bytes / probability, &carry->bytes),
		.count = memory_weight_round(1 / probability, &carry->count),
	};
}
