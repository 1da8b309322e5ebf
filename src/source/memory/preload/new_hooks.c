// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/real_allocator.h"
#include "source/memory/preload/sampled_thread.h"
#include "source/memory/preload/slow_entry.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// C++'s operators new(size_t) and new[](size_t), so that samples show who called them. Those of
// libstdc++ and libc++ call malloc(), which counts the bytes: here the fast path only calls them.
// When a sample is due, the block comes from malloc() itself, which is what they would do; if there
// is no memory, they are called after all, as they know the handlers and throw. Operators of other
// libraries (allocators bring their own) are left alone. Those of the program come before ours.
//
// A program may replace only operator new and delete: libstdc++'s new[] and delete[] call them, so
// that a block of malloc() would end in a delete that does not know it. Hence the operators delete
// must be standard, too.

#define EXPORTED __attribute__((visibility("default")))
#define CALLER   uint64_t sp, uint64_t ip, uint64_t frame

EXPORTED void *_Znwm(size_t size);
EXPORTED void *_Znam(size_t size);

typedef void *(*new_fn)(size_t size);

static void *new_hooks_first_one(size_t size);
static void *new_hooks_first_array(size_t size);

/** Each begins as a function that searches both and calls what was found. */
static struct {
	new_fn one, array;
	bool call_malloc;
} real_new = {.one = new_hooks_first_one, .array = new_hooks_first_array};

static bool new_hooks_is_standard(void *function)
{
	Dl_info info;
	return dladdr(function, &info) && info.dli_fname &&
	       (strstr(info.dli_fname, "/libstdc++.so") || strstr(info.dli_fname, "/libc++.so"));
}

/** Where nobody has an operator. */
static void *new_hooks_plain(size_t size)
{
	void *block = malloc(size ? size : 1);
	if (!block)
		abort();
	return block;
}

/** @library: of the caller, where the program itself is not linked with C++: what dlopen() loads is
 *  found from there only. RTLD_DEFAULT would find our own operator. */
static void *new_hooks_search(const char *name, void *library, new_fn *ret)
{
	void *found = dlsym(RTLD_NEXT, name);
	if (!found && library)
		found = dlsym(library, name);
	if (found)
		memcpy(ret, &found, sizeof(found));
	else
		*ret = new_hooks_plain;
	return found;
}

static void *new_hooks_search_delete(const char *name, void *library)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	return found || !library ? found : dlsym(library, name);
}

static void new_hooks_find(const void *caller)
{
	uint64_t left = sampled_thread_pause();
	Dl_info info;
	// It stays open, as its operators are called from now on.
	void *library = dladdr(caller, &info) && info.dli_fname
				? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
				: NULL;
	new_fn one, array;
	// Each is looked for, whatever the others are.
	void *places[] = {
		new_hooks_search("_Znwm", library, &one),
		new_hooks_search("_Znam", library, &array),
		new_hooks_search_delete("_ZdlPv", library),
		new_hooks_search_delete("_ZdaPv", library),
	};
	bool is_standard = true;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		is_standard = is_standard && new_hooks_is_standard(places[i]);
	real_new.one = one;
	real_new.array = array;
	real_new.call_malloc = is_standard;
	thread_state.left = left;
}

static void *new_hooks_first_one(size_t size)
{
	new_hooks_find(__builtin_return_address(0));
	return real_new.one(size);
}

static void *new_hooks_first_array(size_t size)
{
	new_hooks_find(__builtin_return_address(0));
	return real_new.array(size);
}

/** NULL: there is no memory, or the block cannot come from malloc() itself. */
static void *new_hooks_sample(size_t size, const struct sampled_caller *caller)
{
	if (real_new.one == new_hooks_first_one)
		new_hooks_find((const void *)caller->ip);
	if (!real_new.call_malloc)
		return NULL;
	uint64_t left = sampled_thread_pause();
	void *block = real_allocator.malloc(size ? size : 1);
	sampled_thread_resume(left, block, size, caller);
	return block;
}

void *new_one_sampled(size_t size, size_t none, size_t nothing, CALLER);
void *new_one_slow(size_t size, size_t none, size_t nothing);
SLOW_ENTRY(new_one_slow, new_one_sampled);
void *new_one_sampled(size_t size, size_t none, size_t nothing, CALLER)
{
	void *block = new_hooks_sample(size, &(struct sampled_caller){sp, ip, frame});
	return block ? block : real_new.one(size);
}

void *_Znwm(size_t size)
{
	if (__builtin_expect(size > thread_state.left, 0))
		return new_one_slow(size, 0, 0);
	return real_new.one(size);
}

void *new_array_sampled(size_t size, size_t none, size_t nothing, CALLER);
void *new_array_slow(size_t size, size_t none, size_t nothing);
SLOW_ENTRY(new_array_slow, new_array_sampled);
void *new_array_sampled(size_t size, size_t none, size_t nothing, CALLER)
{
	void *block = new_hooks_sample(size, &(struct sampled_caller){sp, ip, frame});
	return block ? block : real_new.array(size);
}

void *_Znam(size_t size)
{
	if (__builtin_expect(size > thread_state.left, 0))
		return new_array_slow(size, 0, 0);
	return real_new.array(size);
}
