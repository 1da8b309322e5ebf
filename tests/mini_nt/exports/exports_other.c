// SPDX-License-Identifier: Apache-2.0

// Ex, Mm, Ob, Ps, Rtl, Zw; and the HAL.

#include "tests/mini_nt/exports/exports.h"
#include "tests/mini_nt/kernel/interrupts.h"
#include "tests/mini_nt/kernel/pool.h"
#include "tests/mini_nt/kernel/thread.h"

#include <string.h>
#include <wchar.h>

struct exports_settings exports_settings;

enum { PROCESS_ID = 4, NUM_COUNTERS = 6 };

static unsigned num_counter_handles;

unsigned exports_num_counter_handles(void)
{
	return num_counter_handles;
}

static void *NTAPI nt_ExAllocatePoolWithTag(POOL_TYPE type, SIZE_T size, ULONG tag)
{
	cpu_at_most(DISPATCH_LEVEL, "ExAllocatePoolWithTag");
	if (type != NonPagedPoolNx)
		cpu_fault("pool of another type", type);
	return pool_take(size);
}

static void NTAPI nt_ExFreePoolWithTag(void *memory, ULONG tag)
{
	cpu_at_most(DISPATCH_LEVEL, "ExFreePoolWithTag");
	pool_give(memory);
}

// No ETW: the driver looks for its functions, and does without.
static void *NTAPI nt_MmGetSystemRoutineAddress(UNICODE_STRING *name)
{
	cpu_at_most(PASSIVE_LEVEL, "MmGetSystemRoutineAddress");
	return NULL;
}

static NTSTATUS NTAPI nt_ObOpenObjectByPointer(void *object, ULONG attributes, void *access_state,
					       ACCESS_MASK access, void *type, KPROCESSOR_MODE mode,
					       HANDLE *ret)
{
	cpu_at_most(PASSIVE_LEVEL, "ObOpenObjectByPointer");
	*ret = object;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_ObReferenceObjectByHandle(HANDLE handle, ACCESS_MASK access, void *type,
						   KPROCESSOR_MODE mode, void **ret,
						   void *information)
{
	cpu_at_most(PASSIVE_LEVEL, "ObReferenceObjectByHandle");
	*ret = handle;
	return STATUS_SUCCESS;
}

// The only objects that a driver holds are threads that it has waited for.
static void NTAPI nt_ObfDereferenceObject(void *object)
{
	cpu_at_most(DISPATCH_LEVEL, "ObfDereferenceObject");
	thread_join(object);
}

static NTSTATUS NTAPI nt_ZwClose(HANDLE handle)
{
	cpu_at_most(PASSIVE_LEVEL, "ZwClose");
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_ZwSetSecurityObject(HANDLE handle, SECURITY_INFORMATION what,
					     void *descriptor)
{
	cpu_at_most(PASSIVE_LEVEL, "ZwSetSecurityObject");
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_PsCreateSystemThread(HANDLE *ret, ULONG access, void *attributes,
					      HANDLE process, void *client, PKSTART_ROUTINE routine,
					      void *context)
{
	cpu_at_most(PASSIVE_LEVEL, "PsCreateSystemThread");
	*ret = thread_create(1, THREAD_HIGH_PRIORITY, (thread_fn *)routine, context);
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_PsTerminateSystemThread(NTSTATUS status)
{
	cpu_at_most(PASSIVE_LEVEL, "PsTerminateSystemThread");
	thread_end();
}

static HANDLE NTAPI nt_PsGetCurrentProcessId(void)
{
	return (HANDLE)(ULONG_PTR)PROCESS_ID;
}

static HANDLE NTAPI nt_PsGetCurrentThreadId(void)
{
	return (HANDLE)(ULONG_PTR)cpu_this()->thread->id;
}

static void NTAPI nt_RtlInitUnicodeString(UNICODE_STRING *ret, const wchar_t *text)
{
	USHORT length = 0;
	while (text[length])
		length++;
	ret->Buffer = (wchar_t *)text;
	ret->Length = (USHORT)(length * sizeof(*text));
	ret->MaximumLength = (USHORT)(ret->Length + sizeof(*text));
}

static NTSTATUS NTAPI nt_RtlQueryRegistryValues(ULONG relative, const wchar_t *path,
						RTL_QUERY_REGISTRY_TABLE *table, void *context,
						void *environment)
{
	cpu_at_most(PASSIVE_LEVEL, "RtlQueryRegistryValues");
	// "HasDevice" is the value that begins with an H.
	for (; table->Name; table++)
		*(ULONG *)table->EntryContext =
			table->Name[0] == L'H' && exports_settings.has_device;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_HalAllocateHardwareCounters(GROUP_AFFINITY *affinity, ULONG num,
						     void *list, HANDLE *ret)
{
	enum { HEAD = 2, DESCRIPTOR = 6, INDEX = 2 };
	cpu_at_most(PASSIVE_LEVEL, "HalAllocateHardwareCounters");
	const ULONG *words = list; // the count and its padding, then descriptors
	for (ULONG i = 0; i < words[0]; i++) {
		ULONG index = words[HEAD + i * DESCRIPTOR + INDEX];
		if (index >= NUM_COUNTERS || exports_settings.busy_counters >> index & 1)
			return STATUS_INSUFFICIENT_RESOURCES;
	}
	num_counter_handles++;
	*ret = (HANDLE)(ULONG_PTR)num_counter_handles;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI nt_HalFreeHardwareCounters(HANDLE handle)
{
	cpu_at_most(PASSIVE_LEVEL, "HalFreeHardwareCounters");
	num_counter_handles--;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI set_information(HAL_SET_INFORMATION_CLASS class, ULONG size, void *buffer)
{
	interrupts_pmi_fn *handler;
	cpu_at_most(PASSIVE_LEVEL, "HalSetSystemInformation");
	if (class != HalProfileSourceInterruptHandler || size != sizeof(handler) ||
	    exports_settings.refuses_pmi)
		return STATUS_UNSUCCESSFUL;
	memcpy(&handler, buffer, sizeof(handler));
	interrupts_set_pmi(handler);
	return STATUS_SUCCESS;
}

#undef HalSetSystemInformation
#undef HalDispatchTable
static HAL_DISPATCH dispatch = {.HalSetSystemInformation = set_information};

#define EXPORT(name)                     \
	{                                \
#name, (void *)nt_##name \
	}

static const struct image_export table[] = {
	EXPORT(ExAllocatePoolWithTag),
	EXPORT(ExFreePoolWithTag),
	EXPORT(MmGetSystemRoutineAddress),
	EXPORT(ObOpenObjectByPointer),
	EXPORT(ObReferenceObjectByHandle),
	EXPORT(ObfDereferenceObject),
	EXPORT(ZwClose),
	EXPORT(ZwSetSecurityObject),
	EXPORT(PsCreateSystemThread),
	EXPORT(PsTerminateSystemThread),
	EXPORT(PsGetCurrentProcessId),
	EXPORT(PsGetCurrentThreadId),
	EXPORT(RtlInitUnicodeString),
	EXPORT(RtlQueryRegistryValues),
	EXPORT(HalAllocateHardwareCounters),
	EXPORT(HalFreeHardwareCounters),
	{"HalDispatchTable", &dispatch},
	{"memcpy", (void *)memcpy},
	{"memmove", (void *)memmove},
	{"memset", (void *)memset},
};

const struct image_export *exports_other(unsigned *ret_num)
{
	*ret_num = sizeof(table) / sizeof(table[0]);
	return table;
}

const struct image_export *exports_all(unsigned *ret_num)
{
	enum { MAX_EXPORTS = 100 };
	static const struct image_export *(*const lists[])(unsigned *) = {exports_ke, exports_io,
									  exports_other};
	static struct image_export all[MAX_EXPORTS];
	*ret_num = 0;
	for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		unsigned num;
		const struct image_export *list = lists[i](&num);
		if (*ret_num + num > MAX_EXPORTS)
			cpu_fault("too many exports", num);
		memcpy(&all[*ret_num], list, num * sizeof(*list));
		*ret_num += num;
	}
	return all;
}
