// SPDX-License-Identifier: Apache-2.0

#include "source/memory/preload/python_hooks.h"

#include "source/memory/preload/live_table.h"
#include "source/memory/preload/sampled_thread.h"
#include "source/memory/preload/sampler.h"
#include "source/memory/preload/slow_entry.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// PyMem_SetAllocator() (Python/C API, "Customize Memory Allocators") replaces the functions of a
// domain. The domains MEM and OBJ are pymalloc's; RAW is malloc(), which is sampled by itself. What
// pymalloc gets from malloc() and mmap() for its arenas, and for large objects, is paused, so that
// it is not counted twice. The context stays that of the interpreter, so that an interpreter which
// runs already never sees functions of one allocator with the context of another.
//
// The pause has its price for each small object. pymalloc is recognised before the first sample: it
// makes objects of up to 512 bytes by itself (SMALL_REQUEST_THRESHOLD of CPython's obmalloc), and
// gets larger ones from malloc(). Then objects that are not sampled need no pause: small ones are
// counted here and larger ones by malloc(), and only arenas are paused, by
// PyObject_SetArenaAllocator(). Other allocators that CPython can have (malloc() itself, mimalloc)
// stay paused.
//
// The free() of the interpreter stays as well, so that freeing costs nothing. Where frees are
// wanted, a small object that is sampled is asked for as if it were a large one: pymalloc gives it
// back to free() then, which is ours. Only other allocators need a function here to see frees.
//
// CPython 3.8 and newer leave an allocator alone that was set before their start (PEP 587); older
// ones set their own in main(). There the hooks are put in with the first sample that comes after.

enum { DOMAIN_MEM = 1, DOMAIN_OBJ = 2 }; // PyMemAllocatorDomain

/** PyMemAllocatorEx, of CPython 3.5 and newer. */
struct python_allocator {
	void *context;
	void *(*malloc)(void *context, size_t size);
	void *(*calloc)(void *context, size_t num, size_t size);
	void *(*realloc)(void *context, void *block, size_t size);
	void (*free)(void *context, void *block);
};

static struct python_allocator python_mem, python_obj;

typedef void (*allocator_fn)(int domain, struct python_allocator *allocator);

static struct {
	allocator_fn get, set;
	int (*is_initialized)(void); // NULL: there is nothing to wait for
} python;

/** PyObjectArenaAllocator. */
struct python_arenas {
	void *context;
	void *(*alloc)(void *context, size_t size);
	void (*free)(void *context, void *arena, size_t size);
};

static struct {
	struct python_arenas real;
	void (*get)(struct python_arenas *arenas);
	void (*set)(struct python_arenas *arenas); // NULL: there is nothing to be learned any more
} python_arenas;

enum { MOST_SMALL = 512 };

/** It is, and what it does for itself is paused by python_hooks_alloc_arena(). */
static bool python_is_pymalloc;

/** Before a sample: which allocator is it? The GIL is held. */
static void python_hooks_learn(void);

/** To ask for, so that the free of the sample is seen. */
static size_t python_hooks_visible_size(size_t size)
{
	bool is_hidden = python_is_pymalloc && size <= MOST_SMALL && sampler_sees_frees();
	return is_hidden ? MOST_SMALL + 1 : size;
}

static bool python_hooks_is_next(size_t size)
{
	return __builtin_expect(size > thread_state.left, 0);
}

/** Of pymalloc: small objects are counted here, and larger ones by malloc(). */
static bool python_hooks_is_due(size_t size)
{
	return __builtin_expect(size > MOST_SMALL, 0) ? python_hooks_is_next(size)
						      : sampled_thread_is_due(size);
}

/** The functions for one domain: fast ones, and those for samples, which the fast ones end with. */
#define DOMAIN_HOOKS(domain)                                                                       \
	void *domain##_malloc_sampled(void *context, size_t size, size_t none, uint64_t sp,        \
				      uint64_t ip, uint64_t frame);                                \
	void *domain##_malloc_slow(void *context, size_t size, size_t none);                       \
	SLOW_ENTRY(domain##_malloc_slow, domain##_malloc_sampled);                                 \
	void *domain##_malloc_sampled(void *context, size_t size, size_t none, uint64_t sp,        \
				      uint64_t ip, uint64_t frame)                                 \
	{                                                                                          \
		python_hooks_learn();                                                              \
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.malloc(context, python_hooks_visible_size(size));             \
		sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame}); \
		return block;                                                                      \
	}                                                                                          \
	static void *domain##_malloc(void *context, size_t size)                                   \
	{                                                                                          \
		if (python_hooks_is_next(size))                                                    \
			return domain##_malloc_slow(context, size, 0);                             \
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.malloc(context, size);                                        \
		thread_state.left = left - size;                                                   \
		return block;                                                                      \
	}                                                                                          \
	/** Of pymalloc, once its arenas are paused by themselves. */                              \
	static void *domain##_malloc_small(void *context, size_t size)                             \
	{                                                                                          \
		if (python_hooks_is_due(size))                                                     \
			return domain##_malloc_slow(context, size, 0);                             \
		return domain.malloc(context, size);                                               \
	}                                                                                          \
	void *domain##_calloc_sampled(void *context, size_t num, size_t size, uint64_t sp,         \
				      uint64_t ip, uint64_t frame);                                \
	void *domain##_calloc_slow(void *context, size_t num, size_t size);                        \
	SLOW_ENTRY(domain##_calloc_slow, domain##_calloc_sampled);                                 \
	void *domain##_calloc_sampled(void *context, size_t num, size_t size, uint64_t sp,         \
				      uint64_t ip, uint64_t frame)                                 \
	{                                                                                          \
		size_t bytes;                                                                      \
		python_hooks_learn();                                                              \
		uint64_t left = sampled_thread_pause();                                            \
		void *block =                                                                      \
			__builtin_mul_overflow(num, size, &bytes)                                  \
				? domain.calloc(context, num, size)                                \
				: domain.calloc(context, 1, python_hooks_visible_size(bytes));     \
		sampled_thread_resume(left, block, bytes,                                          \
				      &(struct sampled_caller){sp, ip, frame});                    \
		return block;                                                                      \
	}                                                                                          \
	static void *domain##_calloc(void *context, size_t num, size_t size)                       \
	{                                                                                          \
		size_t bytes;                                                                      \
		if (__builtin_mul_overflow(num, size, &bytes) || python_hooks_is_next(bytes))      \
			return domain##_calloc_slow(context, num, size);                           \
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.calloc(context, num, size);                                   \
		thread_state.left = left - bytes;                                                  \
		return block;                                                                      \
	}                                                                                          \
	static void *domain##_calloc_small(void *context, size_t num, size_t size)                 \
	{                                                                                          \
		size_t bytes;                                                                      \
		if (__builtin_mul_overflow(num, size, &bytes) || python_hooks_is_due(bytes))       \
			return domain##_calloc_slow(context, num, size);                           \
		return domain.calloc(context, num, size);                                          \
	}                                                                                          \
	void *domain##_realloc_sampled(void *context, void *old, size_t size, uint64_t sp,         \
				       uint64_t ip, uint64_t frame);                               \
	void *domain##_realloc_slow(void *context, void *old, size_t size);                        \
	SLOW_ENTRY(domain##_realloc_slow, domain##_realloc_sampled);                               \
	void *domain##_realloc_sampled(void *context, void *old, size_t size, uint64_t sp,         \
				       uint64_t ip, uint64_t frame)                                \
	{                                                                                          \
		python_hooks_learn();                                                              \
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.realloc(context, old, python_hooks_visible_size(size));       \
		sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame}); \
		return block;                                                                      \
	}                                                                                          \
	static void *domain##_realloc(void *context, void *old, size_t size)                       \
	{                                                                                          \
		if (live_table_checks_frees() && live_table_may_have(old))                         \
			sampler_free(old);                                                         \
		if (python_hooks_is_next(size))                                                    \
			return domain##_realloc_slow(context, old, size);                          \
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.realloc(context, old, size);                                  \
		thread_state.left = left - size;                                                   \
		return block;                                                                      \
	}                                                                                          \
	/** A large block that becomes small is realloc()'s, which counts it: hence the pause. */  \
	static void *domain##_realloc_small(void *context, void *old, size_t size)                 \
	{                                                                                          \
		if ((old && size <= MOST_SMALL) || python_hooks_is_due(size))                      \
			return domain##_realloc(context, old, size);                               \
		return domain.realloc(context, old, size);                                         \
	}                                                                                          \
	static NOT_INLINED void domain##_free_known(void *context, void *block)                    \
	{                                                                                          \
		sampler_free(block);                                                               \
		domain.free(context, block);                                                       \
	}                                                                                          \
	static void domain##_free(void *context, void *block)                                      \
	{                                                                                          \
		if (__builtin_expect(live_table_may_have(block), 0))                               \
			domain##_free_known(context, block);                                       \
		else                                                                               \
			domain.free(context, block);                                               \
	}                                                                                          \
	static void domain##_set(int number)                                                       \
	{                                                                                          \
		bool is_pymalloc = python_is_pymalloc;                                             \
		struct python_allocator hooks = {                                                  \
			domain.context,                                                            \
			is_pymalloc ? domain##_malloc_small : domain##_malloc,                     \
			is_pymalloc ? domain##_calloc_small : domain##_calloc,                     \
			is_pymalloc ? domain##_realloc_small : domain##_realloc,                   \
			sampler_sees_frees() && !is_pymalloc ? domain##_free : domain.free,        \
		};                                                                                 \
		python.set(number, &hooks);                                                        \
	}

DOMAIN_HOOKS(python_mem)
DOMAIN_HOOKS(python_obj)

/** dlsym() returns a pointer to data, which ISO C does not convert. */
static bool python_hooks_find(const char *name, void *ret)
{
	void *found = dlsym(RTLD_DEFAULT, name);
	memcpy(ret, &found, sizeof(found));
	return found;
}

static void python_hooks_set(void)
{
	python_mem_set(DOMAIN_MEM);
	python_obj_set(DOMAIN_OBJ);
}

static void python_hooks_install(void)
{
	python.get(DOMAIN_MEM, &python_mem);
	python.get(DOMAIN_OBJ, &python_obj);
	python_hooks_set();
}

static void *python_hooks_alloc_arena(void *context, size_t size)
{
	uint64_t left = sampled_thread_pause();
	void *arena = python_arenas.real.alloc(context, size);
	thread_state.left = left;
	return arena;
}

/** Are the functions that are called still ours? Somebody may have put others in front. */
static bool python_hooks_are_called(void)
{
	struct python_allocator mem, obj;
	python.get(DOMAIN_MEM, &mem);
	python.get(DOMAIN_OBJ, &obj);
	return mem.malloc == python_mem_malloc && obj.malloc == python_obj_malloc;
}

/** Bytes that the allocator itself gets from malloc() or mmap() for an object. */
static uint64_t python_hooks_nested(size_t size)
{
	uint64_t left = sampled_thread_pause();
	python_obj.free(python_obj.context, python_obj.malloc(python_obj.context, size));
	uint64_t nested = THREAD_STATE_NEVER - thread_state.left;
	thread_state.left = left;
	return nested;
}

/** It gets large objects from malloc(), and for small ones nothing or an arena. */
static bool python_hooks_is_pymalloc(void)
{
	enum { SMALL = 64, LARGE = 2 * MOST_SMALL };
	uint64_t of_small = python_hooks_nested(SMALL);
	return (!of_small || of_small > LARGE) && python_hooks_nested(LARGE) == LARGE;
}

static void python_hooks_learn(void)
{
	if (!python_arenas.set || !python_hooks_are_called())
		return;
	python_is_pymalloc = python_hooks_is_pymalloc();
	if (python_is_pymalloc) {
		python_arenas.get(&python_arenas.real);
		struct python_arenas arenas = {python_arenas.real.context, python_hooks_alloc_arena,
					       python_arenas.real.free};
		python_arenas.set(&arenas);
		python_hooks_set();
	}
	python_arenas.set = NULL;
}

void python_hooks_begin(void)
{
	void *of_new_versions;
	// The struct of the allocator has had calloc since the version that has this function, 3.5.
	if (!python_hooks_find("PyMem_GetAllocator", &python.get) ||
	    !python_hooks_find("PyMem_SetAllocator", &python.set) ||
	    !dlsym(RTLD_DEFAULT, "PyObject_Calloc"))
		return;
	if (!python_hooks_find("PyObject_GetArenaAllocator", &python_arenas.get) ||
	    !python_hooks_find("PyObject_SetArenaAllocator", &python_arenas.set))
		python_arenas.set = NULL;
	if (python_hooks_find("PyConfig_InitPythonConfig", &of_new_versions))
		python_hooks_install();
	else
		python_hooks_find("Py_IsInitialized", &python.is_initialized);
}

void python_hooks_check(void)
{
	if (!python.is_initialized || !python.is_initialized())
		return;
	python.is_initialized = NULL;
	python_hooks_install();
}
