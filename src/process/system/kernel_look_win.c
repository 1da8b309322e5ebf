// SPDX-License-Identifier: Apache-2.0

#include "process/system/kernel_look.h"

#include "base/cleanup.h"
#include "base/file/file_path.h"
#include "base/os/clock.h"
#include "base/text/wide_text.h"
#include "process/loaded_image.h"
#include "process/memory/memory_pieces.h"
#include "process/system/debug_right.h"
#include "process/system/kernel_modules.h"
#include "process/system/system_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The kernel's memory cannot be read from user space. So the list gives base and size of each
// driver, and the sections are read from the header of its file (kernel_look_read_code()), as if it
// were memory at that base. Where the file cannot be read, the whole image becomes one mapping with
// the kernel's own name for it. The list is read at most every half second.

enum {
	SYSTEM_MODULES = 11,   // SystemModuleInformation
	FIRST_BYTES = 1 << 16, // of its answer
	MOST_BYTES = 1 << 24,
	HEADER_BYTES = 4096,  // of an image, almost always
	PAUSE_NS = 500000000, // between two looks: drivers come seldom
};

struct kernel_look {
	char *windows; /* the system's folder */
	uint64_t looked_ns;
	struct kernel_modules modules;
	size_t next_module;
	/* of the module at hand */
	char *path;
	struct loaded_code code[LOADED_IMAGE_MAX_CODE];
	size_t num_code, next_code;
	uint8_t header[HEADER_BYTES];
};

struct error *kernel_look_create(struct kernel_look **ret)
{
	wchar_t windows[MAX_PATH] = L"";
	GetSystemWindowsDirectoryW(windows, MAX_PATH);
	struct kernel_look *look = calloc(1, sizeof(*look));
	if (!look)
		return &error_no_memory;
	struct error *err = utf8_from_wide(windows, &look->windows);
	if (err) {
		free(look);
		return err;
	}
	*ret = look;
	return NULL;
}

void kernel_look_destroy(struct kernel_look *look)
{
	if (!look)
		return;
	kernel_modules_deinit(&look->modules);
	free(look->windows);
	free(look->path);
	free(look);
}

static struct error *look_again(struct kernel_look *look)
{
	_cleanup_free_ void *bytes = NULL;
	size_t size = 0;
	struct error *err = system_list_read((SYSTEM_INFORMATION_CLASS)SYSTEM_MODULES, FIRST_BYTES,
					     MOST_BYTES, &bytes, &size);
	if (err || !bytes)
		return err;
	err = kernel_modules_look(&look->modules, bytes, size);
	look->next_module = 0;
	return err;
}

struct error *kernel_look_begin(struct kernel_look *look)
{
	uint64_t now_ns = clock_ns(CLOCK_MONOTONIC);
	if (look->looked_ns && now_ns - look->looked_ns < PAUSE_NS)
		return NULL;
	look->looked_ns = now_ns;
	struct error *err = look_again(look);
	// Newer systems say that all is at address 0 to those without this right.
	if (!err && !look->modules.num_items && debug_right_switch_on())
		err = look_again(look);
	return err;
}

/** 0 if there is no such image. */
static size_t kernel_look_read_code(struct kernel_look *look, const char *path,
				    const struct kernel_module *module)
{
	FILE *file = file_path_open(path, "r");
	if (!file)
		return 0;
	size_t size = fread(look->header, 1, sizeof(look->header), file);
	fclose(file);
	struct memory_piece header = {module->base, look->header, size};
	struct memory_pieces pieces = {&header, 1};
	struct process_memory memory = memory_pieces_memory(&pieces);
	return loaded_image_code(&memory, module->base, module->size, look->code);
}

static struct error *begin_module(struct kernel_look *look, const struct kernel_module *module)
{
	_cleanup_free_ char *told = NULL, *file = NULL;
	// The kernel writes paths in the system's code page.
	wchar_t wide[KERNEL_MODULE_PATH_SIZE] = L"";
	MultiByteToWideChar(CP_ACP, 0, module->path, -1, wide, KERNEL_MODULE_PATH_SIZE);
	struct error *err = utf8_from_wide(wide, &told);
	if (!err)
		err = kernel_module_file(told, look->windows, &file);
	if (err)
		return err;
	free(look->path);
	look->next_code = 0;
	look->num_code = file ? kernel_look_read_code(look, file, module) : 0;
	look->path = look->num_code ? take_ptr(file) : take_ptr(told);
	if (!look->num_code)
		look->code[look->num_code++] = (struct loaded_code){module->base, module->size, 0};
	return NULL;
}

struct error *kernel_look_next(struct kernel_look *look, struct record *ret, bool *ret_more)
{
	*ret_more = false;
	while (look->next_code == look->num_code) {
		if (look->next_module == look->modules.num_items)
			return NULL;
		const struct kernel_module *module = &look->modules.items[look->next_module++];
		struct error *err = module->is_new ? begin_module(look, module) : NULL;
		if (err)
			return err;
	}
	const struct loaded_code *code = &look->code[look->next_code++];
	// As perf tells of modules of the kernel.
	*ret = (struct record){
		.kind = RECORD_MAP,
		.mode = RECORD_MODE_KERNEL,
		.pid = UINT32_MAX,
		.cpu = UINT32_MAX,
		.map = {.start = code->start,
			.length = code->length,
			.file_offset = code->file_offset,
			.path = look->path,
			.is_executable = true},
	};
	*ret_more = true;
	return NULL;
}
