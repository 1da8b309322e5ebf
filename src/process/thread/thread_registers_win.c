// SPDX-License-Identifier: Apache-2.0

#include "process/thread/thread_registers.h"

#include "process/memory/process_memory.h"

#include <windows.h>
#include <winternl.h>

// The limits of a stack are at the beginning of the thread's environment block (NT_TIB), whose
// address ThreadBasicInformation gives. They are in memory that the program can write, so they are
// only checked for their order, and reading beyond them fails by itself.

#if defined(__aarch64__)
static struct user_regs take_registers(const CONTEXT *context)
{
	return (struct user_regs){
		.ip = context->Pc, .sp = context->Sp, .frame = context->Fp, .link = context->Lr};
}
#else
static struct user_regs take_registers(const CONTEXT *context)
{
	return (struct user_regs){.ip = context->Rip, .sp = context->Rsp, .frame = context->Rbp};
}
#endif

bool thread_registers_read(const struct thread_hold *hold, struct user_regs *ret)
{
	CONTEXT context = {.ContextFlags = CONTEXT_CONTROL | CONTEXT_INTEGER};
	if (!GetThreadContext(hold->thread, &context))
		return false;
	*ret = take_registers(&context);
	return true;
}

/** What the system tells of a thread (THREAD_BASIC_INFORMATION). */
struct basic_facts {
	LONG exit_status;
	void *environment_block;
	void *process_id, *thread_id;
	ULONG_PTR cores;
	LONG priority, base_priority;
};

/** A thread's environment block begins so (NT_TIB). */
struct block_head {
	uint64_t exceptions;
	uint64_t stack_base, stack_limit;
};

bool thread_registers_stack(const struct thread_hold *hold, struct stack_limits *ret)
{
	struct basic_facts facts;
	if (NtQueryInformationThread(hold->thread, ThreadBasicInformation, &facts, sizeof(facts),
				     NULL))
		return false;
	struct process_memory memory = process_memory_of(hold->pid);
	struct block_head head;
	if (!process_memory_read(&memory, (uint64_t)(uintptr_t)facts.environment_block, &head,
				 sizeof(head)) ||
	    head.stack_limit >= head.stack_base)
		return false;
	*ret = (struct stack_limits){.low = head.stack_limit, .high = head.stack_base};
	return true;
}
