// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_runtime.h"

#include "base/file/file_name.h"
#include "base/text/string_builder.h"
#include "interpreter/python/layout/python_published.h"
#include "interpreter/python/layout/python_section.h"
#include "interpreter/python/value/python_string.h"

#include <string.h>

// Two steps. python_runtime_find() uses only the file and the static data that the loader has
// mapped: it takes the address of _PyRuntime from the symbol table or, in stripped files, from the
// section .PyRuntime (python_section.h); then the version; then the offsets, published by the
// interpreter (3.13 and newer) or from the table of python_layout.c. 3.6 has no _PyRuntime: its
// list of interpreters is the static variable interp_head of Python/pystate.c.
//
// The version comes from the first source that has one: Py_Version (since 3.11), the file's name,
// or the size of _PyRuntime. A wrong version would produce wrong stacks without any error.
// Therefore python_runtime_check() follows interpreter, thread, frame and code object in memory,
// and accepts the layout only if the code object has the type `code` and a readable name. The
// target runs meanwhile, and a frame may end between two reads. So one success proves the layout,
// while failures count only if there was no success in many attempts.

/** A search that goes on. */
struct finder {
	const struct process_memory *memory;
	struct object *object;
	uint64_t bias;
	const char *path;
};

static bool python_runtime_find_variable(const struct finder *finder, const char *name,
					 struct object_variable *ret)
{
	if (!object_find_variable(finder->object, name, ret))
		return false;
	ret->address += finder->bias;
	return true;
}

/** "libpython3.8.so.1.0", "python3.11d", on Windows "python311_d.dll": the number behind the 3; 0
 * if it has no such name. */
static uint32_t minor_of_name(const struct finder *finder)
{
	static const char start[] = "python3";
	const char *digits = strstr(file_name_of(finder->path), start);
	if (!digits)
		return 0;
	digits += strlen(start);
	if (*digits == '.')
		digits++;
	else if (!object_is_windows(finder->object))
		return 0;
	uint32_t minor = 0;
	for (; *digits >= '0' && *digits <= '9' && minor < 100; digits++)
		minor = 10 * minor + (uint32_t)(*digits - '0');
	return minor;
}

/** For a file whose name has no version: _PyRuntime has another size in each of these versions. */
static uint32_t minor_of_size(uint64_t size)
{
	// sizeof(_PyRuntimeState) of 3.7 to 3.10.
	static const struct {
		uint32_t size, minor;
	} sizes[] = {{1520, 7}, {1464, 8}, {656, 9}, {672, 10}};
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
		if (sizes[i].size == size)
			return sizes[i].minor;
	return 0;
}

static uint32_t version_in_memory(const struct finder *finder)
{
	struct object_variable variable;
	uint32_t version;
	if (!python_runtime_find_variable(finder, "Py_Version", &variable) ||
	    !process_memory_read(finder->memory, variable.address, &version, sizeof(version)))
		return 0;
	return version;
}

/** As PY_VERSION_HEX of Include/patchlevel.h: 0x030b04f0 is 3.11.4. What a name or a size says has
 * only the upper two bytes. */
static uint32_t find_version(const struct finder *finder, uint64_t runtime_size)
{
	uint32_t version = version_in_memory(finder);
	if (version)
		return version;
	uint32_t minor = minor_of_name(finder);
	if (!minor)
		minor = minor_of_size(runtime_size);
	return minor ? 3U << 24 | minor << 16 : 0;
}

/** Of 3.13 and newer: the start of the runtime says all. */
static struct error *take_published(const struct finder *finder, struct python_runtime *runtime)
{
	uint8_t bytes[PYTHON_PUBLISHED_MAX_BYTES];
	size_t size = runtime->memory.read(runtime->memory.context, runtime->address, bytes,
					   sizeof(bytes));
	struct error *err = python_published_parse(bytes, size, object_is_windows(finder->object),
						   &runtime->layout, &runtime->version);
	if (!err)
		runtime->is_guess = runtime->layout.minor > PYTHON_NEWEST_MINOR;
	return err;
}

static struct error *take_table_of_windows(const struct finder *finder,
					   struct python_runtime *runtime)
{
	uint32_t minor = runtime->version >> 16 & 0xff;
	if (runtime->version >> 24 == 3 && python_layout_find_windows(minor, &runtime->layout))
		return NULL;
	if (minor)
		return error_create(ERROR_FAILED,
				    "'%s' is Python 3.%u; on Windows, wperf reads 3.%d and newer",
				    finder->path, minor, PYTHON_OLDEST_MINOR_OF_WINDOWS);
	return error_create(ERROR_FAILED, "cannot find the Python version of '%s'", finder->path);
}

static struct error *take_table(const struct finder *finder, struct python_runtime *runtime)
{
	if (object_is_windows(finder->object))
		return take_table_of_windows(finder, runtime);
	uint32_t minor = runtime->version >> 16 & 0xff;
	const struct python_layout *layout =
		runtime->version >> 24 == 3 ? python_layout_find(minor) : NULL;
	if (!layout)
		return error_create(ERROR_FAILED, "cannot find the Python version of '%s'",
				    finder->path);
	runtime->layout = *layout;
	return NULL;
}

/** The first member of _Py_DebugOffsets, with which _PyRuntime begins since 3.13. A build whose
 *  version was not found, say a static one, is recognized by it. */
static bool has_cookie(const struct python_runtime *runtime)
{
	char start[8];
	return process_memory_read(&runtime->memory, runtime->address, start, sizeof(start)) &&
	       memcmp(start, "xdebugpy", sizeof(start)) == 0;
}

static struct error *take_layout(const struct finder *finder, uint64_t runtime_size,
				 struct python_runtime *runtime)
{
	runtime->version = find_version(finder, runtime_size);
	if ((runtime->version >> 16 & 0xff) >= 13 || has_cookie(runtime))
		return take_published(finder, runtime);
	return take_table(finder, runtime);
}

/** In the symbol table or, in stripped files, by the section that CPython made for this. */
static bool find_runtime(const struct finder *finder, struct object_variable *ret)
{
	if (python_runtime_find_variable(finder, "_PyRuntime", ret))
		return true;
	struct object_bytes section = python_section_find(finder->object, "PyRuntime");
	if (!section.address)
		return false;
	*ret = (struct object_variable){section.address + finder->bias, section.size};
	return true;
}

static bool python_runtime_begins_with(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/** Modules that run Python, but not as we know it. */
static struct error *python_runtime_refuse(const struct finder *finder)
{
	const char *name = file_name_of(finder->path);
	if (python_runtime_begins_with(name, "libpypy") || python_runtime_begins_with(name, "pypy"))
		return error_create(ERROR_FAILED, "'%s' is PyPy; wperf reads only CPython",
				    finder->path);
	if (python_runtime_begins_with(name, "libpython2") ||
	    python_runtime_begins_with(name, "python2"))
		return error_create(ERROR_FAILED, "'%s' is Python 2; wperf reads 3.6 and newer",
				    finder->path);
	return error_create(ERROR_ABSENT, "'%s' has no Python interpreter", finder->path);
}

static void set_walk(const struct finder *finder, uint64_t interpreters,
		     struct python_runtime *runtime)
{
	bool is_aarch64 = object_machine(finder->object) == OBJECT_MACHINE_AARCH64;
	runtime->walk = python_layout_walk(&runtime->layout);
	runtime->walk.interpreters = interpreters;
	runtime->walk.thread_id_reach = is_aarch64 ? PYTHON_WALK_AARCH64_REACH : 0;
	runtime->walk.gil = runtime->layout.interpreter_gil ? 0 : runtime->address;
}

/** 3.6, whose list of interpreters is a variable of its own, known to debuggers only. */
static struct error *python_runtime_find_oldest(const struct finder *finder,
						struct python_runtime *runtime)
{
	struct object_variable head;
	if (minor_of_name(finder) != PYTHON_OLDEST_MINOR)
		return python_runtime_refuse(finder);
	if (!python_runtime_find_variable(finder, "interp_head", &head)) {
		struct object_variable type;
		if (!python_runtime_find_variable(finder, "PyCode_Type", &type))
			return python_runtime_refuse(finder);
		return error_create(ERROR_FAILED,
				    "'%s' has no symbols, which wperf needs to read Python 3.6",
				    finder->path);
	}
	runtime->version = 3U << 24 | PYTHON_OLDEST_MINOR << 16;
	struct error *err = take_table(finder, runtime);
	if (!err)
		set_walk(finder, head.address, runtime);
	return err;
}

struct error *python_runtime_find(const struct process_memory *memory, struct object *object,
				  uint64_t bias, const char *path, struct python_runtime *ret)
{
	const struct finder finder = {memory, object, bias, path};
	struct python_runtime runtime = {.memory = *memory, .bias = bias};
	struct object_variable found;
	struct error *err;
	if (find_runtime(&finder, &found)) {
		runtime.address = found.address;
		err = take_layout(&finder, found.size, &runtime);
		if (!err)
			set_walk(&finder, found.address + runtime.layout.runtime_interpreters,
				 &runtime);
	} else {
		err = python_runtime_find_oldest(&finder, &runtime);
	}
	if (err)
		return err;
	struct object_variable type;
	if (python_runtime_find_variable(&finder, "PyCode_Type", &type))
		runtime.code_type = type.address;
	*ret = runtime;
	return NULL;
}

static struct error *python_runtime_mismatch(const struct python_runtime *runtime, const char *what)
{
	return error_create(ERROR_FAILED, "this build of Python 3.%u has an unknown layout %s",
			    runtime->layout.minor, what);
}

static bool is_code_type(const struct python_runtime *runtime, uint64_t type)
{
	if (runtime->code_type)
		return type == runtime->code_type;
	// Without symbols, by tp_name with its NUL.
	uint64_t name;
	char text[5];
	return process_memory_read_pointer(&runtime->memory, type + runtime->layout.type_name,
					   &name) &&
	       process_memory_read(&runtime->memory, name, text, sizeof(text)) &&
	       memcmp(text, "code", sizeof(text)) == 0;
}

enum verdict { RIGHT, WRONG, UNKNOWN };

/** Of a frame that may be over by now. */
static enum verdict check_frame(const struct python_runtime *runtime, uint64_t frame)
{
	const struct python_walk *walk = &runtime->walk;
	const struct process_memory *memory = &runtime->memory;
	uint8_t mark = 0;
	uint64_t code, type, name;
	if (!process_memory_read(memory, frame + walk->frame_mark, &mark, 1) ||
	    (walk->kind == PYTHON_WALK_OWNER && mark >= walk->shim_owner) ||
	    !process_memory_read_pointer(memory, frame + walk->frame_code, &code))
		return UNKNOWN;
	code &= walk->code_mask;
	if (!process_memory_read_pointer(memory, code + runtime->layout.object_type, &type) ||
	    !is_code_type(runtime, type) ||
	    !process_memory_read_pointer(memory, code + runtime->layout.code_name, &name))
		return WRONG;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	return python_string_read(memory, &runtime->layout, name, PYTHON_STRING_MAX, &text, NULL)
		       ? RIGHT
		       : WRONG;
}

static uint64_t python_runtime_frame_of(const struct python_runtime *runtime, uint64_t thread)
{
	const struct python_walk *walk = &runtime->walk;
	uint64_t frame;
	if (!process_memory_read_pointer(&runtime->memory, thread + walk->thread_frame, &frame))
		return 0;
	if (walk->cframe_frame &&
	    !process_memory_read_pointer(&runtime->memory, frame + walk->cframe_frame - 1, &frame))
		return 0;
	return frame;
}

// A running thread changes its frames all the time: one good look says that the layout is right,
// and only many bad ones that it is wrong.
static enum verdict check_thread(const struct python_runtime *runtime, uint64_t thread)
{
	enum { LOOKS = 32 };
	enum verdict verdict = UNKNOWN;
	for (int i = 0; i < LOOKS; i++) {
		uint64_t frame = python_runtime_frame_of(runtime, thread);
		if (!frame)
			continue;
		enum verdict look = check_frame(runtime, frame);
		if (look == RIGHT)
			return RIGHT;
		if (look == WRONG)
			verdict = WRONG;
	}
	return verdict;
}

static struct error *check_threads(const struct python_runtime *runtime, uint64_t interpreter,
				   uint64_t thread)
{
	// Most threads of a server wait in C code, but their Python frames are there.
	enum { ENOUGH_THREADS = 16 };
	enum verdict verdict = UNKNOWN;
	for (int i = 0; thread && i < ENOUGH_THREADS; i++) {
		uint64_t owner, id;
		if (!process_memory_read(&runtime->memory,
					 thread + runtime->layout.thread_interpreter, &owner,
					 sizeof(owner)) ||
		    !process_memory_read(&runtime->memory, thread + runtime->layout.thread_id, &id,
					 sizeof(id)) ||
		    owner != interpreter)
			return python_runtime_mismatch(runtime, "of threads");
		enum verdict look = check_thread(runtime, thread);
		if (look == RIGHT)
			return NULL;
		verdict = look == WRONG ? WRONG : verdict;
		if (!process_memory_read(&runtime->memory, thread + runtime->layout.thread_next,
					 &thread, sizeof(thread)))
			break;
	}
	// A guess has to be proven.
	if (verdict == WRONG || runtime->is_guess)
		return python_runtime_mismatch(runtime, "of frames");
	return error_create(ERROR_ABSENT, "no thread of Python 3.%u runs Python code",
			    runtime->layout.minor);
}

struct error *python_runtime_check(const struct python_runtime *runtime)
{
	const struct process_memory *memory = &runtime->memory;
	uint64_t interpreter, thread;
	if (!process_memory_read(memory, runtime->walk.interpreters, &interpreter,
				 sizeof(interpreter)))
		return error_create(ERROR_FAILED, "the memory of Python 3.%u cannot be read",
				    runtime->layout.minor);
	if (!interpreter)
		return error_create(ERROR_ABSENT,
				    "Python 3.%u has not started yet, or has finished",
				    runtime->layout.minor);
	if (!process_memory_read(memory, interpreter + runtime->walk.interpreter_threads, &thread,
				 sizeof(thread)))
		return python_runtime_mismatch(runtime, "of interpreters");
	if (!thread)
		return error_create(ERROR_ABSENT, "Python 3.%u has no threads",
				    runtime->layout.minor);
	return check_threads(runtime, interpreter, thread);
}
