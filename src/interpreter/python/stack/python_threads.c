// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/stack/python_threads.h"

#include "base/byte_order.h"
#include "base/container/array.h"
#include "interpreter/python/stack/python_gil.h"

#include <string.h>

// Follows interpreters (PyInterpreterState.next) and, in each, thread states (PyThreadState.next),
// as Python/pystate.c links them. There is no lock that a reader could take. A thread state that
// was freed meanwhile is recognized by its pointer to the interpreter, which must be the one whose
// list it is; the rest of that list is then left out. Lists have a maximum length, because a
// damaged one can be a cycle.
//
// Since 3.11 a thread state has the kernel's thread id. Before, it has only pthread_self(), the
// address of the C library's structure of the thread. That structure contains the kernel's id at an
// offset that differs between libraries and versions. search_tids() finds it: the offset at which
// the most threads have a known id, and no two threads the same one.

/** A way through the lists of a process. */
struct thread_walk {
	const struct python_runtime *runtime;
	struct python_threads *threads;
	uint64_t interpreter;
	int64_t interpreter_id;
	uint64_t gil_holder; /* 0: nobody, or not known */
};

void python_threads_deinit(struct python_threads *threads)
{
	free(threads->items);
	*threads = (struct python_threads)PYTHON_THREADS_INIT;
}

static int64_t read_interpreter_id(const struct python_runtime *runtime, uint64_t interpreter)
{
	int64_t id;
	if (!runtime->layout.interpreter_id ||
	    !process_memory_read(&runtime->memory, interpreter + runtime->layout.interpreter_id,
				 &id, sizeof(id)))
		return -1;
	return id;
}

/** Of the bytes of a thread state. */
static enum dump_attachment attachment_of(const struct python_runtime *runtime,
					  const uint8_t *bytes)
{
	// PyThreadState.state (_Py_THREAD_DETACHED, _ATTACHED, _SUSPENDED of pycore_pystate.h) is
	// not published; it follows the published _status at these distances.
	static const uint8_t distances[] = {[13] = 8, [14] = 12, [15] = 16};
	static const enum dump_attachment states[] = {DUMP_DETACHED, DUMP_ATTACHED, DUMP_SUSPENDED};
	const struct python_layout *layout = &runtime->layout;
	if (!layout->is_free_threaded || runtime->is_guess || layout->minor >= sizeof(distances) ||
	    !distances[layout->minor])
		return DUMP_ATTACHMENT_UNKNOWN;
	uint32_t state =
		byte_order_load32(bytes + layout->thread_status + distances[layout->minor], false);
	return state < sizeof(states) / sizeof(*states) ? states[state] : DUMP_ATTACHMENT_UNKNOWN;
}

/** 0: Python does not know it. */
static uint32_t tid_of(const struct python_layout *layout, const uint8_t *bytes, uint64_t id)
{
	if (layout->is_windows)
		return (uint32_t)id;
	uint64_t tid = layout->thread_native_id
			       ? byte_order_load64(bytes + layout->thread_native_id, false)
			       : 0;
	return tid <= INT32_MAX ? (uint32_t)tid : 0;
}

enum { ATTACHMENT_ROOM = 32 };

/** @ret_next: 0 at the end, and where the list cannot be read. */
static struct error *python_threads_add_thread(struct thread_walk *walk, uint64_t state,
					       uint64_t *ret_next)
{
	const struct python_layout *layout = &walk->runtime->layout;
	struct python_threads *threads = walk->threads;
	uint8_t bytes[PYTHON_LAYOUT_THREAD_BYTES + ATTACHMENT_ROOM] = {0};
	*ret_next = 0;
	if (!process_memory_read(&walk->runtime->memory, state, bytes,
				 python_layout_thread_bytes(layout)))
		return NULL;
	// A thread that ends meanwhile leads anywhere.
	if (byte_order_load64(bytes + layout->thread_interpreter, false) != walk->interpreter)
		return NULL;
	struct error *err =
		array_reserve(&threads->items, &threads->cap_items, threads->num_items + 1);
	if (err)
		return err;
	uint64_t id = python_layout_thread_number(
		layout, byte_order_load64(bytes + layout->thread_id, false));
	threads->items[threads->num_items++] = (struct python_thread){
		.state = state,
		.interpreter = walk->interpreter,
		.interpreter_id = walk->interpreter_id,
		.id = id,
		.tid = tid_of(layout, bytes, id),
		.holds_gil = state == walk->gil_holder,
		.attachment = attachment_of(walk->runtime, bytes),
	};
	*ret_next = byte_order_load64(bytes + layout->thread_next, false);
	return NULL;
}

static struct error *add_interpreter(struct thread_walk *walk, uint64_t interpreter)
{
	const struct python_runtime *runtime = walk->runtime;
	walk->interpreter = interpreter;
	walk->interpreter_id = read_interpreter_id(runtime, interpreter);
	struct python_gil gil;
	walk->gil_holder = python_gil_read(runtime, interpreter, &gil) ? gil.holder : 0;
	uint64_t state = 0;
	process_memory_read_pointer(&runtime->memory,
				    interpreter + runtime->walk.interpreter_threads, &state);
	while (state) {
		if (walk->threads->num_items == PYTHON_MAX_THREADS) {
			walk->threads->is_cut = true;
			break;
		}
		struct error *err = python_threads_add_thread(walk, state, &state);
		if (err)
			return err;
	}
	return NULL;
}

static struct error *add_interpreters(struct thread_walk *walk)
{
	enum { MAX_INTERPRETERS = 4096 };
	const struct python_runtime *runtime = walk->runtime;
	uint64_t interpreter;
	if (!process_memory_read_pointer(&runtime->memory, runtime->walk.interpreters,
					 &interpreter))
		return NULL;
	for (int i = 0; interpreter && !walk->threads->is_cut; i++) {
		walk->threads->is_cut = i == MAX_INTERPRETERS;
		struct error *err = add_interpreter(walk, interpreter);
		if (err)
			return err;
		if (!process_memory_read(&runtime->memory,
					 interpreter + runtime->walk.interpreter_next, &interpreter,
					 sizeof(interpreter)))
			break;
	}
	return NULL;
}

enum { STRUCT_BYTES = 2048 }; /* of a thread of the C library that are looked at */

/** The kernel's number in the structure of the C library, at this place; 0 if there is none. */
static uint32_t tid_at(const uint8_t *bytes, size_t offset, const uint32_t *tids, size_t num_tids)
{
	uint32_t word = byte_order_load32(bytes + offset, false);
	for (size_t i = 0; i < num_tids; i++)
		if (tids[i] == word)
			return word;
	return 0;
}

/** Structures of all threads, side by side; those that cannot be read are 0. */
static uint8_t *read_structs(const struct python_threads *threads,
			     const struct python_runtime *runtime)
{
	uint8_t *structs = calloc(threads->num_items, STRUCT_BYTES);
	for (size_t i = 0; structs && i < threads->num_items; i++)
		runtime->memory.read(runtime->memory.context, threads->items[i].id,
				     structs + i * STRUCT_BYTES, STRUCT_BYTES);
	return structs;
}

/** Threads, of the first ones, that have a number at this place; 0 if two have the same. */
static size_t count_tids(const struct python_threads *threads, const uint8_t *structs,
			 size_t offset, const uint32_t *tids, size_t num_tids)
{
	enum { ENOUGH = 64 };
	size_t num = 0;
	uint32_t last = 0;
	uint64_t last_id = 0; // that of several thread states, one for each interpreter
	for (size_t i = 0; i < threads->num_items && i < ENOUGH; i++) {
		uint32_t tid = tid_at(structs + i * STRUCT_BYTES, offset, tids, num_tids);
		if (!tid)
			continue;
		if (tid == last && threads->items[i].id != last_id)
			return 0;
		last = tid;
		last_id = threads->items[i].id;
		num++;
	}
	return num;
}

// pthread_self() is the address of a structure that holds the kernel's number somewhere: at the
// first place where every thread has another one of them.
static struct error *search_tids(struct python_threads *threads,
				 const struct python_runtime *runtime, const uint32_t *tids,
				 size_t num_tids)
{
	enum { MOST = 1024 }; // it is a search of threads times threads
	if (!num_tids || num_tids > MOST || !threads->num_items || threads->num_items > MOST)
		return NULL;
	_cleanup_free_ uint8_t *structs = read_structs(threads, runtime);
	if (!structs)
		return &error_no_memory;
	size_t best = 0, best_num = 0;
	for (size_t offset = 0; offset < STRUCT_BYTES; offset += sizeof(uint32_t)) {
		size_t num = count_tids(threads, structs, offset, tids, num_tids);
		if (num > best_num) {
			best = offset;
			best_num = num;
		}
	}
	for (size_t i = 0; best_num && i < threads->num_items; i++)
		threads->items[i].tid = tid_at(structs + i * STRUCT_BYTES, best, tids, num_tids);
	return NULL;
}

struct error *python_threads_read(struct python_threads *threads,
				  const struct python_runtime *runtime, const uint32_t *tids,
				  size_t num_tids)
{
	threads->num_items = 0;
	threads->is_cut = false;
	struct thread_walk walk = {.runtime = runtime, .threads = threads};
	struct error *err = add_interpreters(&walk);
	if (err || runtime->layout.thread_native_id || runtime->layout.is_windows)
		return err;
	return search_tids(threads, runtime, tids, num_tids);
}
