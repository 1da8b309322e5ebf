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

void *memset(void *to, int byte, size_t size)
{
	for (size_t i = 0; i < size; i++)
		((uint8_t *)to)[i] = (uint8_t)byte;
	return to;
}
