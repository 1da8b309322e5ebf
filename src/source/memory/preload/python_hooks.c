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
// it is not counted twice. The context stays that of the interpreter, and so does free() unless
// frees are wanted, so that freeing costs nothing, and that an interpreter which runs already never
// sees functions of one allocator with the context of another.
//
// The pause has its price for each small object. pymalloc is recognised at the first sample of one:
// it makes objects of up to 512 bytes by itself (SMALL_REQUEST_THRESHOLD of CPython's obmalloc),
// and gets larger ones from malloc(). Then objects that are not sampled need no pause: small ones
// are counted here and larger ones by malloc(), and only arenas are paused, by
// PyObject_SetArenaAllocator(). Other allocators that CPython can have (malloc() itself, mimalloc)
// stay paused.
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

/** @nested: bytes that the allocator itself got while it made an object. The GIL is held. */
static void python_hooks_learn(size_t size, uint64_t nested);

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
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.malloc(context, size);                                        \
		uint64_t nested = THREAD_STATE_NEVER - thread_state.left;                          \
		sampled_thread_resume(left, block, size, &(struct sampled_caller){sp, ip, frame}); \
		python_hooks_learn(size, nested);                                                  \
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
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.calloc(context, num, size);                                   \
		sampled_thread_resume(left, block, num *size,                                      \
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
		uint64_t left = sampled_thread_pause();                                            \
		void *block = domain.realloc(context, old, size);                                  \
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
		if ((old && (size <= MOST_SMALL || live_table_checks_frees())) ||                  \
		    python_hooks_is_due(size))                                                     \
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
	static void domain##_set(int number, bool is_pymalloc)                                     \
	{                                                                                          \
		struct python_allocator hooks = {                                                  \
			domain.context,                                                            \
			is_pymalloc ? domain##_malloc_small : domain##_malloc,                     \
			is_pymalloc ? domain##_calloc_small : domain##_calloc,                     \
			is_pymalloc ? domain##_realloc_small : domain##_realloc,                   \
			sampler_sees_frees() ? domain##_free : domain.free,                        \
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

static void python_hooks_set(bool is_pymalloc)
{
	python_mem_set(DOMAIN_MEM, is_pymalloc);
	python_obj_set(DOMAIN_OBJ, is_pymalloc);
}

static void python_hooks_install(void)
{
	python.get(DOMAIN_MEM, &python_mem);
	python.get(DOMAIN_OBJ, &python_obj);
	python_hooks_set(false);
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

/** Does it get large objects from malloc()? */
static bool python_hooks_is_pymalloc(void)
{
	enum { LARGE = 2 * MOST_SMALL };
	uint64_t left = sampled_thread_pause();
	python_obj.free(python_obj.context, python_obj.malloc(python_obj.context, LARGE));
	uint64_t nested = THREAD_STATE_NEVER - thread_state.left;
	thread_state.left = left;
	return nested == LARGE;
}

static void python_hooks_learn(size_t size, uint64_t nested)
{
	if (!python_arenas.set || size > MOST_SMALL || nested || !python_hooks_are_called())
		return;
	if (python_hooks_is_pymalloc()) {
		python_arenas.get(&python_arenas.real);
		struct python_arenas arenas = {python_arenas.real.context, python_hooks_alloc_arena,
					       python_arenas.real.free};
		python_arenas.set(&arenas);
		python_hooks_set(true);
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
