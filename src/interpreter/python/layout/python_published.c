// SPDX-License-Identifier: Apache-2.0

#include "interpreter/python/layout/python_published.h"

#include "base/reader.h"

#include <stddef.h>
#include <string.h>

// Follows struct _Py_DebugOffsets of CPython: Include/internal/pycore_runtime.h in 3.13,
// Include/internal/pycore_debug_offsets.h since 3.14. It has no directory: the meaning of a word is
// its position, and every version inserts words. Therefore `words` is one list in the order of the
// newest version, in which each row has the version that added it; python_published_take_words()
// skips the rows that are newer than the interpreter.
//
// All words are bytes of another process. python_published_take_word() accepts a member only if it
// lies within the size that the table gives for its structure, and python_published_is_plausible()
// accepts the whole only if the copies that readers make would contain every member. What CPython
// does not publish is computed by add_the_rest() from a published neighbour, at distances that are
// the same from 3.13 to 3.15.

/** One word, behind those of the rows before. */
enum word_kind {
	WORD_SIZE,          /* of the struct whose members follow */
	WORD_THREAD_SIZE,   /* the same, of the thread state */
	WORD_MEMBER,        /* of a member */
	WORD_MEMBER_UNLESS, /* says something only if the build has the feature */
	WORD_LOCK,          /* of the interpreter's own lock; members of it follow */
	WORD_OTHER,
};

struct word {
	enum word_kind kind;
	uint32_t since; /* minor version */
	uint32_t width; /* of the member; of a struct: the most that it can be large */
	size_t target;  /* in struct python_layout */
};

#define TARGET(name) offsetof(struct python_layout, name)
#define SIZE(most)                     \
	{                              \
		WORD_SIZE, 13, most, 0 \
	}
#define MEMBER(name, bytes)                          \
	{                                            \
		WORD_MEMBER, 13, bytes, TARGET(name) \
	}
#define OTHER(since)                    \
	{                               \
		WORD_OTHER, since, 0, 0 \
	}

enum { BIG = 16 << 20, SMALL = 64 << 10 };

static const struct word words[] = {
	SIZE(BIG), // runtime
	OTHER(13),
	MEMBER(runtime_interpreters, 8),
	SIZE(BIG), // interpreter
	MEMBER(interpreter_id, 8),
	MEMBER(interpreter_next, 8),
	MEMBER(interpreter_threads, 8),
	OTHER(14),
	OTHER(13),
	MEMBER(interpreter_modules, 8),
	OTHER(13),
	OTHER(13),
	MEMBER(interpreter_gil, 8),
	{WORD_LOCK, 13, 0, 0},
	OTHER(13),
	MEMBER(gil_locked, 4),
	MEMBER(gil_holder, 8),
	OTHER(14),
	OTHER(14),
	{WORD_THREAD_SIZE, 13, SMALL, 0},
	OTHER(13),
	MEMBER(thread_next, 8),
	MEMBER(thread_interpreter, 8),
	MEMBER(thread_frame, 8),
	OTHER(15),
	OTHER(15),
	OTHER(15),
	MEMBER(thread_id, 8),
	MEMBER(thread_native_id, 8),
	MEMBER(thread_chunk, 16),
	MEMBER(thread_status, 4),
	OTHER(15),
	OTHER(15),
	OTHER(15),
	OTHER(15),
	OTHER(15),   // of an item of the stack of exceptions
	SIZE(SMALL), // frame
	MEMBER(frame_back, 8),
	MEMBER(frame_code, 8),
	MEMBER(frame_instruction, 8),
	MEMBER(frame_locals, 0),
	MEMBER(frame_mark, 1),
	{WORD_MEMBER, 14, 8, TARGET(frame_stack)},
	{WORD_MEMBER_UNLESS, 14, 4, TARGET(frame_tlbc)},
	SIZE(SMALL), // code object
	MEMBER(code_file, 8),
	MEMBER(code_name, 8),
	MEMBER(code_qualified_name, 8),
	MEMBER(code_lines, 8),
	MEMBER(code_first_line, 4),
	OTHER(13),
	MEMBER(code_local_names, 8),
	MEMBER(code_local_kinds, 8),
	MEMBER(code_bytecode, 0),
	{WORD_MEMBER_UNLESS, 14, 8, TARGET(code_tlbc)},
	SIZE(SMALL), // object
	MEMBER(object_type, 8),
	SIZE(SMALL), // type
	MEMBER(type_name, 8),
	OTHER(13),
	MEMBER(type_flags, 8),
	OTHER(15),
	OTHER(15),
	{WORD_SIZE, 15, SMALL, 0}, // type on the heap
	{WORD_MEMBER, 15, 8, TARGET(type_cached_keys)},
	SIZE(SMALL), // tuple
	MEMBER(tuple_items, 0),
	MEMBER(tuple_size, 8),
	SIZE(SMALL), // list
	OTHER(13),
	MEMBER(list_size, 8),
	OTHER(14), // set
	OTHER(14),
	OTHER(14),
	OTHER(14),
	SIZE(SMALL), // dict
	OTHER(13),
	OTHER(13),
	SIZE(SMALL), // float
	MEMBER(float_value, 8),
	SIZE(SMALL), // long
	MEMBER(long_tag, 8),
	MEMBER(long_digits, 4),
	SIZE(SMALL), // bytes
	MEMBER(bytes_size, 8),
	MEMBER(bytes_data, 0),
	SIZE(SMALL), // unicode
	MEMBER(string_state, 4),
	MEMBER(string_length, 8),
	MEMBER(string_ascii, 0),
	OTHER(14), // collection of garbage
	OTHER(14),
	OTHER(15),
	OTHER(15),
	OTHER(15),
	OTHER(15),
	{WORD_SIZE, 14, SMALL, 0}, // generator
	OTHER(14),
	{WORD_MEMBER, 14, 0, TARGET(generator_frame)},
	{WORD_MEMBER, 14, 1, TARGET(generator_state)},
	{WORD_MEMBER, 14, 8, TARGET(node_next)}, // its struct's size is not there: it is smaller
};

static const char cookie[8] = "xdebugpy";
enum { OLDEST_PUBLISHED = 13 };

/** Not published: the pointer to what the JIT made of the code that a thread runs, in thread states
 *  of this size; those of Windows are smaller. 3.13 has none, and of versions to come nobody knows
 *  where it is. */
static const struct {
	uint32_t minor, thread_size, offset;
} compiled[] = {{14, 832, 272}, {14, 824, 264}, {15, 888, 304}, {15, 880, 296}};

struct parser {
	struct reader reader;
	uint32_t minor;
	struct python_layout layout;
	uint64_t struct_size; // of the struct whose members come
	uint64_t thread_size;
	uint64_t lock; // offset of the lock in the interpreter
};

static bool is_there(const struct parser *parser, const struct word *word)
{
	return word->since <= parser->minor;
}

static bool python_published_take_word(struct parser *parser, const struct word *word)
{
	uint64_t value = reader_u64(&parser->reader);
	switch (word->kind) {
	case WORD_THREAD_SIZE:
		parser->thread_size = value;
		// fall through
	case WORD_SIZE:
		parser->struct_size = value;
		return value <= word->width;
	case WORD_MEMBER_UNLESS:
		if (!parser->layout.is_free_threaded)
			return true;
		break;
	case WORD_MEMBER:
		break;
	case WORD_LOCK:
		parser->lock = value;
		return true;
	case WORD_OTHER:
		return true;
	}
	uint32_t offset = (uint32_t)value;
	memcpy((char *)&parser->layout + word->target, &offset, sizeof(offset));
	return value <= parser->struct_size && word->width <= parser->struct_size - value;
}

static bool python_published_take_words(struct parser *parser)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_there(parser, &words[i]) && !python_published_take_word(parser, &words[i]))
			return false;
	return !parser->reader.failed;
}

static uint32_t offset_of_compiled(const struct parser *parser)
{
	for (size_t i = 0; i < sizeof(compiled) / sizeof(*compiled); i++)
		if (compiled[i].minor == parser->minor &&
		    compiled[i].thread_size == parser->thread_size)
			return compiled[i].offset;
	return 0;
}

// Since 3.14 builds without the GIL have a byte before the bits. Compilers for Windows let bits of
// an `unsigned int` begin at the next four bytes, all others behind the byte.
static void find_string_bits(struct python_layout *layout)
{
	enum { BITS_OF_INTERNED = 2, BITS_OF_BYTE = 8, NEXT_WORD = 4 };
	bool has_byte = layout->is_free_threaded && layout->minor >= 14;
	layout->string_kind_shift = has_byte ? BITS_OF_BYTE : BITS_OF_INTERNED;
	if (!has_byte || !layout->is_windows)
		return;
	layout->string_state += NEXT_WORD;
	layout->string_kind_shift = 0;
}

// Not published, and the same in 3.13 to 3.15: what is counted from a neighbour.
static void add_the_rest(struct parser *parser)
{
	enum { FLAGS_TO_CACHED_KEYS = 712 }; // from tp_flags to ht_cached_keys, in 3.13 and 3.14
	struct python_layout *layout = &parser->layout;
	layout->is_debug_offsets = true;
	layout->minor = parser->minor;
	layout->gil_holder -= (uint32_t)parser->lock;
	layout->gil_locked -= (uint32_t)parser->lock;
	layout->kind = PYTHON_WALK_OWNER;
	layout->shim_owner = 3;
	layout->lines_format = PYTHON_LINES_LOCATIONS;
	layout->code_version = layout->code_first_line + 24;
	layout->code_num_locals = layout->code_first_line + 4;
	layout->dict_used = layout->object_type + 8;
	layout->string_compact = layout->string_ascii + 16;
	layout->thread_compiled = offset_of_compiled(parser);
	if (parser->minor < 15)
		layout->type_cached_keys = layout->type_flags + FLAGS_TO_CACHED_KEYS;
	find_string_bits(layout);
}

/** Members that stand in the way of others, or outside of what we would read of their struct. */
static bool python_published_is_plausible(const struct python_layout *layout)
{
	enum { LARGEST_LOCK = 1024 };
	return layout->gil_holder < LARGEST_LOCK && layout->gil_locked < LARGEST_LOCK &&
	       layout->string_ascii < SMALL && layout->type_name < SMALL && layout->thread_id &&
	       layout->thread_native_id && layout->thread_chunk && layout->code_bytecode &&
	       // Flags before the start of a code object: the difference has wrapped.
	       python_layout_code_flags(layout) < layout->code_first_line &&
	       python_layout_thread_bytes(layout) <= PYTHON_LAYOUT_THREAD_BYTES &&
	       python_layout_code_bytes(layout) <= PYTHON_LAYOUT_CODE_BYTES &&
	       python_layout_walk(layout).frame_size <= PYTHON_WALK_FRAME_BYTES;
}

static struct error *read_version(struct parser *parser, uint32_t *ret)
{
	const void *start = reader_bytes(&parser->reader, sizeof(cookie));
	uint64_t version = reader_u64(&parser->reader);
	uint64_t free_threaded = reader_u64(&parser->reader);
	if (!start || memcmp(start, cookie, sizeof(cookie)) != 0)
		return error_create(ERROR_FAILED, "an interpreter without published offsets");
	uint32_t minor = (uint32_t)(version >> 16 & 0xff);
	if (parser->reader.failed || version >> 24 != 3 || minor < OLDEST_PUBLISHED ||
	    free_threaded > 1)
		return error_create(ERROR_FAILED,
				    "an interpreter that publishes offsets without a version");
	parser->minor = minor;
	parser->layout.is_free_threaded = free_threaded == 1;
	*ret = (uint32_t)version;
	return NULL;
}

struct error *python_published_parse(const void *bytes, size_t size, bool is_windows,
				     struct python_layout *ret, uint32_t *ret_version)
{
	struct parser parser = {.reader = reader_create(bytes, size),
				.layout.is_windows = is_windows};
	uint32_t version;
	struct error *err = read_version(&parser, &version);
	if (err)
		return err;
	bool is_whole = python_published_take_words(&parser);
	add_the_rest(&parser);
	if (!is_whole || !python_published_is_plausible(&parser.layout))
		return error_create(ERROR_FAILED,
				    "the published offsets of Python 3.%u are not valid",
				    parser.minor);
	*ret = parser.layout;
	*ret_version = version;
	return NULL;
}
