/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_TESTS_UNIT_PYTHON_IMAGE_H
#define WPERF_TESTS_UNIT_PYTHON_IMAGE_H

/**
 * Memory of a process that runs Python, made by hand: what is allocated here is laid out as the
 * layout of a version says. Include behind cmocka.h.
 */

#include "interpreter/python/layout/python_runtime.h"
#include "process/memory/memory_pieces.h"

#include <string.h>

enum { IMAGE_BASE = 0x10000, IMAGE_SIZE = 1 << 20 };

struct image {
	uint8_t bytes[IMAGE_SIZE];
	uint64_t next;
	struct memory_piece piece;
	struct memory_pieces pieces;
	struct python_runtime runtime;
	uint64_t code_type, interpreter;
};

static inline uint64_t image_alloc(struct image *image, size_t size)
{
	uint64_t address = image->next;
	image->next += (size + 15) / 16 * 16;
	assert_true(image->next <= IMAGE_BASE + IMAGE_SIZE);
	return address;
}

static inline void image_put(struct image *image, uint64_t address, const void *bytes, size_t size)
{
	memcpy(image->bytes + (address - IMAGE_BASE), bytes, size);
}

static inline void image_word(struct image *image, uint64_t address, uint64_t word)
{
	image_put(image, address, &word, sizeof(word));
}

static inline void image_half(struct image *image, uint64_t address, uint32_t half)
{
	image_put(image, address, &half, sizeof(half));
}

/** @minor: 6 to 12. */
static inline void image_init(struct image *image, uint32_t minor)
{
	memset(image, 0, sizeof(*image));
	image->next = IMAGE_BASE;
	image->piece = (struct memory_piece){IMAGE_BASE, image->bytes, IMAGE_SIZE};
	image->pieces = (struct memory_pieces){&image->piece, 1};
	struct python_runtime *runtime = &image->runtime;
	runtime->memory = memory_pieces_memory(&image->pieces);
	runtime->layout = *python_layout_find(minor);
	runtime->walk = python_layout_walk(&runtime->layout);
	runtime->address = image_alloc(image, 2048);
	runtime->walk.gil = runtime->layout.interpreter_gil ? 0 : runtime->address;
	runtime->walk.interpreters = runtime->address + runtime->layout.runtime_interpreters;
	runtime->code_type = image->code_type = image_alloc(image, 64);
	image->interpreter = image_alloc(image, 1024);
	image_word(image, runtime->walk.interpreters, image->interpreter);
}

/** Characters of @kind bytes; an ASCII string if @kind is 0. */
static inline uint64_t image_string(struct image *image, const void *characters, size_t num,
				    unsigned kind)
{
	const struct python_layout *layout = &image->runtime.layout;
	size_t size = num * (kind ? kind : 1);
	uint64_t address = image_alloc(image, 128 + size);
	image_word(image, address + layout->string_length, num);
	image_half(image, address + layout->string_state,
		   ((kind ? kind : 1) | 8U | (kind ? 0 : 16U)) << layout->string_kind_shift);
	image_put(image, address + (kind ? layout->string_compact : layout->string_ascii),
		  characters, size);
	return address;
}

static inline uint64_t image_text(struct image *image, const char *text)
{
	return image_string(image, text, strlen(text), 0);
}

static inline uint64_t image_bytes_object(struct image *image, const void *bytes, size_t size)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t address = image_alloc(image, 64 + size);
	image_word(image, address + layout->bytes_size, size);
	image_put(image, address + layout->bytes_data, bytes, size);
	return address;
}

static inline uint64_t image_code(struct image *image, const char *name, uint32_t first_line,
				  const void *table, size_t table_size)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t address = image_alloc(image, 512);
	image_word(image, address + layout->object_type, image->code_type);
	image_word(image, address + layout->code_name, image_text(image, name));
	if (layout->code_qualified_name)
		image_word(image, address + layout->code_qualified_name, image_text(image, name));
	image_word(image, address + layout->code_file, image_text(image, "file.py"));
	image_word(image, address + layout->code_lines,
		   image_bytes_object(image, table, table_size));
	if (layout->code_version)
		image_half(image, address + layout->code_version, 77);
	image_half(image, address + layout->code_first_line, first_line);
	return address;
}

/** As a walk finds it now. */
static inline uint32_t image_code_version(const struct image *image, uint64_t code)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t head[PYTHON_WALK_HEAD_WORDS];
	if (!layout->code_head)
		return 77;
	memcpy(head, image->bytes + (code + layout->code_head - IMAGE_BASE), sizeof(head));
	return python_walk_mix_head(head);
}

/** In front of the interpreter's list. @frame: the innermost. */
static inline uint64_t image_thread(struct image *image, uint64_t id, uint64_t frame)
{
	const struct python_layout *layout = &image->runtime.layout;
	uint64_t address = image_alloc(image, 512);
	uint64_t list = image->interpreter + layout->interpreter_threads;
	uint64_t next;
	memcpy(&next, image->bytes + (list - IMAGE_BASE), sizeof(next));
	image_word(image, address + layout->thread_next, next);
	image_word(image, address + layout->thread_interpreter, image->interpreter);
	image_word(image, address + layout->thread_id, id);
	image_word(image, list, address);
	if (layout->cframe_frame) {
		uint64_t cframe = image_alloc(image, 32);
		image_word(image, cframe + layout->cframe_frame - 1, frame);
		image_word(image, address + layout->thread_frame, cframe);
	} else {
		image_word(image, address + layout->thread_frame, frame);
	}
	return address;
}

/** @mark: its owner, or whether it is an entry. */
static inline void image_frame(struct image *image, uint64_t address, uint64_t code, uint64_t back,
			       uint64_t instruction, uint8_t mark)
{
	const struct python_layout *layout = &image->runtime.layout;
	image_word(image, address + layout->frame_code, code);
	image_word(image, address + layout->frame_back, back);
	image_word(image, address + layout->frame_instruction, instruction);
	if (layout->kind == PYTHON_WALK_INDEX)
		mark = (uint8_t)layout->frame_running;
	if (layout->frame_mark)
		image_put(image, address + layout->frame_mark, &mark, 1);
}

#endif
