// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/own_stack.h"

#include "source/memory/preload/thread_state.h"

#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Where a stack ends is asked once in each thread: that of the first thread ends where the loader
// says (__libc_stack_end), those of others where pthread_getattr_np() says. A stack pointer that is
// elsewhere, on a signal stack or on that of a coroutine, has an unknown end: there the kernel
// copies, which stops at memory that is not there.

enum {
	LARGEST_MAIN_STACK = 64 << 20, // far less than the gap that the kernel leaves below it
	PAGE = 4096,
	MAX_PIECES = 17, // of MEMORY_MAX_STACK bytes that begin anywhere in a page
};

static uint64_t own_stack_main_end;

void own_stack_begin(void)
{
	void *const *end = dlsym(RTLD_DEFAULT, "__libc_stack_end");
	own_stack_main_end = end ? (uint64_t)(uintptr_t)*end : 0;
}

static void own_stack_learn(struct thread_state *thread)
{
	thread->knows_stack = true;
	thread->stack_low = thread->stack_high = 0;
	if (syscall(SYS_gettid) == getpid()) {
		thread->stack_high = own_stack_main_end;
		if (thread->stack_high > LARGEST_MAIN_STACK)
			thread->stack_low = thread->stack_high - LARGEST_MAIN_STACK;
		return;
	}
	pthread_attr_t attr;
	void *address;
	size_t size;
	if (pthread_getattr_np(pthread_self(), &attr))
		return;
	if (!pthread_attr_getstack(&attr, &address, &size)) {
		thread->stack_low = (uint64_t)(uintptr_t)address;
		thread->stack_high = thread->stack_low + size;
	}
	pthread_attr_destroy(&attr);
}

/** Word by word, and not by memcpy(), which sanitizers of the program would check. */
static void own_stack_copy_words(uint64_t address, uint8_t *ret, uint32_t size)
{
	const volatile uint64_t *from = (const volatile uint64_t *)(uintptr_t)address;
	uint64_t *to = (uint64_t *)(void *)ret;
	for (uint32_t i = 0; i < size / sizeof(*to); i++)
		to[i] = from[i];
}

/** A piece for each page, as the kernel copies whole pieces. */
static uint32_t own_stack_copy_checked(uint64_t sp, uint8_t *ret, uint32_t size)
{
	struct iovec pieces[MAX_PIECES], to = {ret, size};
	unsigned num = 0;
	for (uint64_t done = 0; done < size && num < MAX_PIECES; num++) {
		uint64_t at = sp + done, length = PAGE - at % PAGE;
		if (length > size - done)
			length = size - done;
		pieces[num] = (struct iovec){(void *)(uintptr_t)at, length};
		done += length;
	}
	long got = syscall(SYS_process_vm_readv, getpid(), &to, 1, pieces, num, 0);
	return got > 0 ? (uint32_t)got / 8 * 8 : 0;
}

uint32_t own_stack_copy(uint64_t sp, uint8_t *ret, uint32_t size)
{
	struct thread_state *thread = &thread_state;
	if (!size || sp % 8)
		return 0;
	if (!thread->knows_stack)
		own_stack_learn(thread);
	if (sp < thread->stack_low || sp >= thread->stack_high)
		return own_stack_copy_checked(sp, ret, size);
	uint64_t whole = (thread->stack_high - sp) / 8 * 8;
	uint32_t wanted = whole < size ? (uint32_t)whole : size;
	own_stack_copy_words(sp, ret, wanted);
	return wanted;
}
