/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_DRIVER_WINDOWS_KERNEL_H
#define WPERF_DRIVER_WINDOWS_KERNEL_H

/**
 * The kernel of Windows, from the headers of mingw-w64, and what these lack. They know no Arm64: we
 * enter as 32-bit Arm, for which they take driver/windows/ddk/armddk.h, and as Itanium, the one
 * machine among theirs whose structs are laid out as on all of today's. The assertions below hold
 * on x64 as well, where the headers are known to be right.
 */

#define __CPUID_H /* clang's <cpuid.h> is out: it defines what <intrin.h> does */
#include <intrin.h>
/* Defined there and, as static functions, in what follows. */
#define InterlockedBitTestAndSet   kernel_unused_bit_test_and_set
#define InterlockedBitTestAndReset kernel_unused_bit_test_and_reset
#if defined(__aarch64__)
#define _M_ARM 1
#define _IA64_ 1
#endif
#include <ntddk.h>
#if defined(__aarch64__)
#undef _M_ARM
#undef _IA64_
#endif

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Tag of all our pool, "wprf" in listings. */
#define KERNEL_POOL_TAG 0x66727077u

#define KERNEL_SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define KERNEL_OFFSET(type, field, bytes) \
	_Static_assert(offsetof(type, field) == (bytes), "offset of " #type "." #field)

KERNEL_SIZE(KDPC, 0x40);
KERNEL_SIZE(KTIMER, 0x40);
KERNEL_SIZE(KEVENT, 0x18);
KERNEL_SIZE(FAST_MUTEX, 0x38);
KERNEL_SIZE(IO_STATUS_BLOCK, 0x10);
KERNEL_SIZE(UNICODE_STRING, 0x10);
KERNEL_SIZE(PROCESSOR_NUMBER, 4);
KERNEL_SIZE(IO_REMOVE_LOCK, 0x20);
KERNEL_SIZE(RTL_QUERY_REGISTRY_TABLE, 0x38);
KERNEL_SIZE(EVENT_DESCRIPTOR, 0x10);
KERNEL_SIZE(EVENT_DATA_DESCRIPTOR, 0x10);

KERNEL_SIZE(DRIVER_OBJECT, 0x150);
KERNEL_OFFSET(DRIVER_OBJECT, DeviceObject, 0x08);
KERNEL_OFFSET(DRIVER_OBJECT, DriverExtension, 0x30);
KERNEL_OFFSET(DRIVER_OBJECT, DriverUnload, 0x68);
KERNEL_OFFSET(DRIVER_OBJECT, MajorFunction, 0x70);
KERNEL_OFFSET(DRIVER_EXTENSION, AddDevice, 0x08);

KERNEL_OFFSET(DEVICE_OBJECT, NextDevice, 0x10);
KERNEL_OFFSET(DEVICE_OBJECT, Flags, 0x30);
KERNEL_OFFSET(DEVICE_OBJECT, DeviceExtension, 0x40);
KERNEL_OFFSET(DEVICE_OBJECT, StackSize, 0x4c);

KERNEL_OFFSET(FILE_OBJECT, FileName, 0x58);

KERNEL_SIZE(IRP, 0xd0);
KERNEL_OFFSET(IRP, AssociatedIrp, 0x18);
KERNEL_OFFSET(IRP, IoStatus, 0x30);
KERNEL_OFFSET(IRP, CurrentLocation, 0x43);
KERNEL_OFFSET(IRP, Cancel, 0x44);
KERNEL_OFFSET(IRP, CancelIrql, 0x45);
KERNEL_OFFSET(IRP, CancelRoutine, 0x68);
KERNEL_OFFSET(IRP, Tail.Overlay.DriverContext, 0x78);
KERNEL_OFFSET(IRP, Tail.Overlay.ListEntry, 0xa8);
KERNEL_OFFSET(IRP, Tail.Overlay.CurrentStackLocation, 0xb8);

KERNEL_SIZE(IO_STACK_LOCATION, 0x48);
KERNEL_OFFSET(IO_STACK_LOCATION, MinorFunction, 0x01);
KERNEL_OFFSET(IO_STACK_LOCATION, Control, 0x03);
KERNEL_OFFSET(IO_STACK_LOCATION, Parameters.DeviceIoControl.OutputBufferLength, 0x08);
KERNEL_OFFSET(IO_STACK_LOCATION, Parameters.DeviceIoControl.InputBufferLength, 0x10);
KERNEL_OFFSET(IO_STACK_LOCATION, Parameters.DeviceIoControl.IoControlCode, 0x18);
KERNEL_OFFSET(IO_STACK_LOCATION, Parameters.Power.Type, 0x10);
KERNEL_OFFSET(IO_STACK_LOCATION, Parameters.Power.State, 0x18);
KERNEL_OFFSET(IO_STACK_LOCATION, DeviceObject, 0x28);
KERNEL_OFFSET(IO_STACK_LOCATION, FileObject, 0x30);
KERNEL_OFFSET(IO_STACK_LOCATION, CompletionRoutine, 0x38);
KERNEL_OFFSET(IO_STACK_LOCATION, Context, 0x40);

#undef KERNEL_SIZE
#undef KERNEL_OFFSET

/**
 * Memory that stays in place and cannot be executed, zeroed; NULL: there is none.
 * Up to DISPATCH_LEVEL, as is freeing it.
 */
void *kernel_allocate(size_t size);

/** NULL is fine. */
void kernel_free(void *memory);

#endif
