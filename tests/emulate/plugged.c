// SPDX-License-Identifier: Apache-2.0
// A library that a program opens while it runs.

void plugged_loop(long rounds, volatile long *memory)
{
	for (long i = 0; i < rounds; i++)
		memory[0] += memory[1];
}
