// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/kernel.h"

void *kernel_allocate(size_t size)
{
	// ExAllocatePool2() does not exist before Windows 10 version 2004.
	void *memory = ExAllocatePoolWithTag(NonPagedPoolNx, size, KERNEL_POOL_TAG);
	if (memory)
		RtlZeroMemory(memory, size);
	return memory;
}

void kernel_free(void *memory)
{
	if (memory)
		ExFreePoolWithTag(memory, KERNEL_POOL_TAG);
}
