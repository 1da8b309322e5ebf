// SPDX-License-Identifier: Apache-2.0
// Code for recordings of SPE that are made up to be of: it is never run.

#include <stdint.h>

struct counters {
	uint64_t mine, yours; // in one line of the cache
} counters;

struct node {
	struct node *next;
	uint64_t value;
};

uint64_t chase(const struct node *node);
void count_mine(uint64_t times);
void count_yours(uint64_t times);
int decide(const unsigned char *coins, int count);

__attribute__((noinline)) uint64_t chase(const struct node *node)
{
	uint64_t sum = 0;
	for (; node; node = node->next)
		sum += node->value;
	return sum;
}

__attribute__((noinline)) void count_mine(uint64_t times)
{
	for (uint64_t i = 0; i < times; i++)
		__atomic_fetch_add(&counters.mine, i, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void count_yours(uint64_t times)
{
	for (uint64_t i = 0; i < times; i++)
		__atomic_store_n(&counters.yours, counters.yours + i, __ATOMIC_RELAXED);
}

__attribute__((noinline)) int decide(const unsigned char *coins, int count)
{
	int heads = 0;
	for (int i = 0; i < count; i++)
		if (coins[i] & 1)
			heads += coins[i];
		else
			heads ^= i;
	return heads;
}

int main(void)
{
	count_mine(10);
	count_yours(10);
	return decide((const unsigned char *)"coins", 5) + (int)chase(0);
}
