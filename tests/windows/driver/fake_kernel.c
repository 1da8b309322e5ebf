// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/fake_kernel.h"

#include "driver/sim/register_file.h"
#include "driver/windows/regs_arm64.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

struct fake_kernel fake_kernel;

enum { MAX_TIMERS = WPERF_MAX_CORES };

static KTIMER *timers[MAX_TIMERS];
static KDPC *timer_dpcs[MAX_TIMERS];

void fake_kernel_init(void)
{
	const struct sim_config config = {
		.num_cores = FAKE_CPUS,
		.midr = 0x413fd0c1,
		.counters = FAKE_COUNTERS,
		.dsu_clusters = 2,
		.pmu_version = 4,
		.common_events = 0x77ffffff,
		.spe = true,
	};
	const char *field;
	memset(&fake_kernel, 0, sizeof(fake_kernel));
	memset(timers, 0, sizeof(timers));
	fake_kernel.busy_counters = 1;
	if (sim_init(&fake_kernel.sim, &config, &field) != DRIVER_OK)
		abort();
}

static void fault_unless(bool good)
{
	fake_kernel.num_faults += !good;
}

// Registers. The CPU that runs is the one that they are of.

uint64_t regs_arm64_read(enum driver_register reg)
{
	fake_kernel.sim.running_cpu = fake_kernel.cpu;
	return register_file_ops.read(&fake_kernel.sim, fake_kernel.cpu, reg);
}

void regs_arm64_write(enum driver_register reg, uint64_t value)
{
	fault_unless(fake_kernel.num_masked > 0);
	fake_kernel.sim.running_cpu = fake_kernel.cpu;
	register_file_ops.write(&fake_kernel.sim, fake_kernel.cpu, reg, value);
}

void regs_arm64_drain_profiling(void)
{
	fake_kernel.sim.running_cpu = fake_kernel.cpu;
	register_file_ops.drain_profiling(&fake_kernel.sim, fake_kernel.cpu);
}

uint64_t regs_arm64_mask_interrupts(void)
{
	return fake_kernel.num_masked++;
}

void regs_arm64_unmask_interrupts(uint64_t saved)
{
	fake_kernel.num_masked--;
	fault_unless(fake_kernel.num_masked == saved);
}

// A program cannot have a stack in the kernel's half.
bool regs_arm64_is_readable(uint64_t address)
{
	return false;
}

// The kernel. A DPC runs at once, on its target.

static void NTAPI fake_KeInitializeDpc(KDPC *dpc, PKDEFERRED_ROUTINE routine, void *context)
{
	memset(dpc, 0, sizeof(*dpc));
	dpc->DeferredRoutine = routine;
	dpc->DeferredContext = context;
}

static NTSTATUS NTAPI fake_KeSetTargetProcessorDpcEx(KDPC *dpc, const PROCESSOR_NUMBER *number)
{
	dpc->Number = number->Number;
	return STATUS_SUCCESS;
}

static void NTAPI fake_KeSetImportanceDpc(KDPC *dpc, KDPC_IMPORTANCE importance)
{
	dpc->Importance = (UCHAR)importance;
}

static void run_dpc(KDPC *dpc)
{
	unsigned before = fake_kernel.cpu;
	fault_unless(dpc->Importance == HighImportance);
	fake_kernel.cpu = dpc->Number;
	dpc->DeferredRoutine(dpc, dpc->DeferredContext, NULL, NULL);
	fake_kernel.cpu = before;
}

static BOOLEAN NTAPI fake_KeInsertQueueDpc(KDPC *dpc, void *argument1, void *argument2)
{
	run_dpc(dpc);
	return TRUE;
}

static void NTAPI fake_KeFlushQueuedDpcs(void)
{
}

static void NTAPI fake_KeInitializeTimerEx(KTIMER *timer, TIMER_TYPE type)
{
	memset(timer, 0, sizeof(*timer));
}

static unsigned slot_of(const KTIMER *timer)
{
	unsigned slot = 0;
	while (slot < MAX_TIMERS - 1 && timers[slot] && timers[slot] != timer)
		slot++;
	return slot;
}

static BOOLEAN NTAPI fake_KeSetTimerEx(KTIMER *timer, LARGE_INTEGER due, LONG period, KDPC *dpc)
{
	unsigned slot = slot_of(timer);
	fault_unless(period > 0 && due.QuadPart == period * -10000ll);
	fake_kernel.num_timers += timer->Period == 0;
	timer->Period = (ULONG)period;
	timers[slot] = timer;
	timer_dpcs[slot] = dpc;
	return FALSE;
}

static BOOLEAN NTAPI fake_KeCancelTimer(KTIMER *timer)
{
	fake_kernel.num_timers -= timer->Period != 0;
	timer->Period = 0;
	return TRUE;
}

void fake_kernel_tick(uint64_t ns)
{
	fake_kernel.sim.now_ns += ns;
	for (unsigned i = 0; i < MAX_TIMERS && timers[i]; i++) {
		if (timers[i]->Period)
			run_dpc(timer_dpcs[i]);
	}
}

static void NTAPI fake_KeInitializeEvent(KEVENT *event, EVENT_TYPE type, BOOLEAN state)
{
	event->Header.SignalState = state;
}

static LONG NTAPI fake_KeSetEvent(KEVENT *event, KPRIORITY increment, BOOLEAN wait)
{
	fault_unless(fake_kernel.num_masked == 0);
	event->Header.SignalState = TRUE;
	return 0;
}

// Nobody else runs: who waits for what has not happened waits for ever.
static NTSTATUS NTAPI fake_KeWaitForSingleObject(void *object, KWAIT_REASON reason,
						 KPROCESSOR_MODE mode, BOOLEAN alertable,
						 LARGE_INTEGER *timeout)
{
	KEVENT *event = object;
	fault_unless(mode == KernelMode && fake_kernel.num_masked == 0);
	fault_unless(event->Header.SignalState);
	event->Header.SignalState = FALSE;
	return STATUS_SUCCESS;
}

static ULONG NTAPI fake_KeQueryActiveProcessorCountEx(USHORT group)
{
	return FAKE_CPUS;
}

static NTSTATUS NTAPI fake_KeGetProcessorNumberFromIndex(ULONG index, PROCESSOR_NUMBER *ret)
{
	memset(ret, 0, sizeof(*ret));
	ret->Number = (UCHAR)index;
	return STATUS_SUCCESS;
}

static ULONG NTAPI fake_KeGetCurrentProcessorNumberEx(PROCESSOR_NUMBER *ret)
{
	return fake_kernel.cpu;
}

static void *NTAPI fake_ExAllocatePoolWithTag(POOL_TYPE type, SIZE_T size, ULONG tag)
{
	fault_unless(type == NonPagedPoolNx && tag == KERNEL_POOL_TAG);
	if (fake_kernel.num_allocations && --fake_kernel.num_allocations == 0)
		return NULL;
	fake_kernel.num_pools++;
	return malloc(size);
}

static void NTAPI fake_ExFreePoolWithTag(void *memory, ULONG tag)
{
	fake_kernel.num_pools--;
	free(memory);
}

static NTSTATUS NTAPI fake_RtlQueryRegistryValues(ULONG relative, const wchar_t *path,
						  RTL_QUERY_REGISTRY_TABLE *table, void *context,
						  void *environment)
{
	*(ULONG *)table[0].EntryContext = fake_kernel.dsu_cluster_size;
	return STATUS_SUCCESS;
}

static HANDLE NTAPI fake_PsGetCurrentProcessId(void)
{
	return (HANDLE)(ULONG_PTR)4711;
}

static HANDLE NTAPI fake_PsGetCurrentThreadId(void)
{
	return (HANDLE)(ULONG_PTR)(4712 + fake_kernel.cpu);
}

// ETW: one provider, and who records what it writes decodes it as the metadata describes it.

enum { PROVIDER = 77, TRACELOGGING = 11, LEVEL = 4, OF_PROVIDER = 2, OF_EVENT = 1, NUM_DATA = 6 };

static NTSTATUS NTAPI fake_EtwRegister(const GUID *id, void *callback, void *context,
				       REGHANDLE *ret)
{
	fault_unless(id->Data1 == 0x9b15b4b5 && id->Data4[7] == 0xb3);
	fake_kernel.num_providers++;
	*ret = PROVIDER;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI fake_EtwUnregister(REGHANDLE provider)
{
	fault_unless(provider == PROVIDER && fake_kernel.num_timers == 0);
	fake_kernel.num_providers--;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI fake_EtwSetInformation(REGHANDLE provider, ULONG what, const char *traits,
					     ULONG size)
{
	fault_unless(provider == PROVIDER && what == 2 && (uint8_t)traits[0] == size);
	fault_unless(!strcmp(traits + 2, "WindowsPerf Driver"));
	return STATUS_SUCCESS;
}

static BOOLEAN NTAPI fake_EtwEventEnabled(REGHANDLE provider, const EVENT_DESCRIPTOR *event)
{
	fault_unless(provider == PROVIDER && event->Id == 1 && event->Channel == TRACELOGGING);
	fault_unless(event->Level == LEVEL && event->Keyword >> 63);
	return fake_kernel.hears;
}

static uint64_t fake_kernel_number(const EVENT_DATA_DESCRIPTOR *data, ULONG size)
{
	uint64_t number = 0;
	fault_unless(data->Reserved == 0 && data->Size == size);
	memcpy(&number, (const void *)(ULONG_PTR)data->Ptr, size);
	return number;
}

static NTSTATUS NTAPI fake_EtwWrite(REGHANDLE provider, const EVENT_DESCRIPTOR *event,
				    const GUID *activity, ULONG num, EVENT_DATA_DESCRIPTOR *data)
{
	static const char fields[] = "\0ReadGPC\0Core\0\x0a"
				     "Event\0\x08GPCIdx\0\x08Value\0\x0a";
	const char *metadata = (const char *)(ULONG_PTR)data[1].Ptr;
	fault_unless(num == NUM_DATA && data[0].Reserved == OF_PROVIDER);
	fault_unless(data[1].Reserved == OF_EVENT && data[1].Size == sizeof(fields) - 1 + 2);
	fault_unless((uint8_t)metadata[0] == data[1].Size && metadata[1] == 0);
	fault_unless(!memcmp(metadata + 2, fields, sizeof(fields) - 1));
	fault_unless(fake_kernel_number(&data[2], 8) == fake_kernel.cpu);
	uint32_t number = (uint32_t)fake_kernel_number(&data[3], 4);
	uint64_t counter = fake_kernel_number(&data[4], 4);
	bool is_cycles = number == WPERF_CYCLE_EVENT;
	fault_unless(is_cycles ? counter == WPERF_CYCLE_COUNTER : counter < FAKE_COUNTERS);
	unsigned place = counter < FAKE_COUNTERS ? (unsigned)counter : FAKE_COUNTERS;
	fake_kernel.heard[place] += fake_kernel_number(&data[5], 8);
	if (!is_cycles && counter < FAKE_COUNTERS)
		fake_kernel.heard_event[counter] = number;
	fake_kernel.num_events++;
	return STATUS_SUCCESS;
}

static void NTAPI fake_RtlInitUnicodeString(UNICODE_STRING *ret, const wchar_t *text)
{
	ret->Buffer = (wchar_t *)text;
	ret->Length = (USHORT)(wcslen(text) * sizeof(*text));
}

static void *NTAPI fake_MmGetSystemRoutineAddress(UNICODE_STRING *name)
{
	static const struct {
		const wchar_t *name;
		void *routine;
	} routines[] = {
		{L"EtwRegister", (void *)fake_EtwRegister},
		{L"EtwUnregister", (void *)fake_EtwUnregister},
		{L"EtwSetInformation", (void *)fake_EtwSetInformation},
		{L"EtwEventEnabled", (void *)fake_EtwEventEnabled},
		{L"EtwWrite", (void *)fake_EtwWrite},
	};
	for (size_t i = 0; !fake_kernel.has_no_trace && i < sizeof(routines) / sizeof(*routines);
	     i++) {
		if (!wcscmp(name->Buffer, routines[i].name))
			return routines[i].routine;
	}
	return NULL;
}

// The HAL. Another driver may hold counters, as a mask of bits.

static NTSTATUS NTAPI fake_HalAllocateHardwareCounters(GROUP_AFFINITY *affinity, ULONG num,
						       void *list, HANDLE *ret)
{
	enum { HEAD = 2, DESCRIPTOR = 6, TYPE = 0, INDEX = 2 };
	const ULONG *words = list; // the count and its padding, then descriptors
	fault_unless(words[0] >= 1 && words[0] <= FAKE_COUNTERS + 1);
	fake_kernel.num_counter_requests++;
	for (ULONG i = 0; i < words[0]; i++) {
		const ULONG *descriptor = words + HEAD + i * DESCRIPTOR;
		fault_unless(descriptor[TYPE] == ResourceTypeSingle);
		if (descriptor[INDEX] > FAKE_COUNTERS ||
		    fake_kernel.busy_counters >> descriptor[INDEX] & 1)
			return STATUS_INSUFFICIENT_RESOURCES;
	}
	*ret = (HANDLE)(ULONG_PTR)(++fake_kernel.num_handles);
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI fake_HalFreeHardwareCounters(HANDLE handle)
{
	fault_unless(handle != NULL);
	fake_kernel.num_handles--;
	return STATUS_SUCCESS;
}

static NTSTATUS NTAPI set_information(HAL_SET_INFORMATION_CLASS class, ULONG size, void *buffer)
{
	fault_unless(class == HalProfileSourceInterruptHandler && size == sizeof(void *));
	if (fake_kernel.refuses_handler)
		return STATUS_UNSUCCESSFUL;
	memcpy(&fake_kernel.handler, buffer, size);
	return STATUS_SUCCESS;
}

void fake_kernel_interrupt(unsigned cpu, const struct trap_frame *frame)
{
	fake_kernel.cpu = cpu;
	fake_kernel.num_masked++;
	fake_kernel.handler(frame);
	fake_kernel.num_masked--;
	fake_kernel.cpu = 0;
}

#undef HalSetSystemInformation
static HAL_DISPATCH dispatch = {.HalSetSystemInformation = set_information};

// What the objects of the driver take from import libraries elsewhere.
#define IMPORT(name)               \
	extern void *__imp_##name; \
	void *__imp_##name = (void *)fake_##name;

IMPORT(KeInitializeDpc)
IMPORT(KeSetTargetProcessorDpcEx)
IMPORT(KeSetImportanceDpc)
IMPORT(KeInsertQueueDpc)
IMPORT(KeFlushQueuedDpcs)
IMPORT(KeInitializeTimerEx)
IMPORT(KeSetTimerEx)
IMPORT(KeCancelTimer)
IMPORT(KeInitializeEvent)
IMPORT(KeSetEvent)
IMPORT(KeWaitForSingleObject)
IMPORT(KeQueryActiveProcessorCountEx)
IMPORT(KeGetProcessorNumberFromIndex)
IMPORT(KeGetCurrentProcessorNumberEx)
IMPORT(ExAllocatePoolWithTag)
IMPORT(ExFreePoolWithTag)
IMPORT(RtlQueryRegistryValues)
IMPORT(PsGetCurrentProcessId)
IMPORT(PsGetCurrentThreadId)
IMPORT(RtlInitUnicodeString)
IMPORT(MmGetSystemRoutineAddress)
IMPORT(HalAllocateHardwareCounters)
IMPORT(HalFreeHardwareCounters)
#undef HalDispatchTable
extern void *__imp_HalDispatchTable;
void *__imp_HalDispatchTable = &dispatch;
