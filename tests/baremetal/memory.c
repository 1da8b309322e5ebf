// SPDX-License-Identifier: Apache-2.0

#include <stdint.h>
#include <string.h>

void *memcpy(void *to, const void *from, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = ((const uint8_t *)from)[i];
	return to;
}

void *memmove(void *to, const void *from, size_t size)
{
	if ((uintptr_t)to <= (uintptr_t)from)
		return memcpy(to, from, size);
	while (size-- > 0)
		((uint8_t *)to)[size] = ((const uint8_t *)from)[size];
	return to;
}

// By words where it can: a driver zeroes megabytes.
void *memset(void *to, int byte, size_t size)
{
	const uint64_t word = (uint8_t)byte * UINT64_C(0x0101010101010101);
	size_t i = 0;
	if ((uintptr_t)to % sizeof(word) == 0) {
		for (; i + sizeof(word) <= size; i += sizeof(word))
			*(volatile uint64_t *)((uint8_t *)to + i) = word;
	}
	for (; i < size; i++)
		((volatile uint8_t *)to)[i] = (uint8_t)byte;
	return to;
}
