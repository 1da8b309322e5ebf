// SPDX-License-Identifier: Apache-2.0

#include "process/loader_list.h"

#include "base/byte_order.h"
#include "base/container/array.h"

#include <stdlib.h>

// The process environment block (PEB) leads to PEB_LDR_DATA, whose InLoadOrderModuleList is a ring
// of LDR_DATA_TABLE_ENTRY. New modules are appended. So loader_list_look() compares only the last
// entry with that of the look before, and walks the ring if it differs. The walk ends at the head,
// at an entry that is not readable or not plausible, or at the maximum; a ring that did not come
// back to its head is walked again at the next look.

/** Where things are in programs of 64 bits. */
enum {
	LIST_IN_BLOCK = 0x18, // PEB.Ldr
	HEAD_IN_LIST = 0x10,  // PEB_LDR_DATA.InLoadOrderModuleList
	BASE_IN_ENTRY = 0x30, // LDR_DATA_TABLE_ENTRY
	SIZE_IN_ENTRY = 0x40,
	PATH_SIZE_IN_ENTRY = 0x48,
	PATH_IN_ENTRY = 0x50,
	ENTRY_BYTES = 0x58,
	LINK_BYTES = 0x10, // to the next entry and the one before
	BEFORE_IN_LINK = 8,
	CHARACTER_BYTES = 2,
};

void loader_list_deinit(struct loader_list *list)
{
	free(list->modules);
	*list = (struct loader_list){0};
}

/** The list is a ring: its head stands between the last entry and the first. */
struct list_ends {
	uint64_t head, first, last;
};

static bool loader_list_read_module(const struct loader_list *list, uint64_t entry,
				    uint64_t *ret_next, struct loader_module *ret)
{
	uint8_t bytes[ENTRY_BYTES];
	if (!process_memory_read(&list->memory, entry, bytes, sizeof(bytes)))
		return false;
	*ret_next = byte_order_load64(bytes, false);
	*ret = (struct loader_module){
		.entry = entry,
		.base = byte_order_load64(bytes + BASE_IN_ENTRY, false),
		.size = byte_order_load32(bytes + SIZE_IN_ENTRY, false),
		.path = byte_order_load64(bytes + PATH_IN_ENTRY, false),
		.path_length =
			byte_order_load16(bytes + PATH_SIZE_IN_ENTRY, false) / CHARACTER_BYTES,
	};
	// The memory is the program's and may say anything: the bounds keep the walk short.
	return ret->base && ret->size && ret->path_length <= LOADER_LIST_MAX_PATH;
}

static bool loader_list_is_same(const struct loader_module *a, const struct loader_module *b)
{
	return a->entry == b->entry && a->base == b->base && a->size == b->size;
}

/** @modules: where the list before had it, most often, as what is new comes last. */
static bool loader_list_was_there(const struct loader_module *modules, size_t num, size_t index,
				  const struct loader_module *module)
{
	// Else a module before it was unloaded.
	if (index < num && loader_list_is_same(&modules[index], module))
		return true;
	for (size_t i = 0; i < num; i++)
		if (loader_list_is_same(&modules[i], module))
			return true;
	return false;
}

/** The list from @entry on; what does not come back to @head is not whole. */
static struct error *loader_list_walk(struct loader_list *list, uint64_t head, uint64_t entry,
				      bool *ret_whole)
{
	_cleanup_free_ struct loader_module *modules = NULL;
	size_t num = 0, cap = 0;
	while (entry != head && num < LOADER_LIST_MAX_MODULES) {
		struct error *err = array_reserve(&modules, &cap, num + 1);
		if (err)
			return err;
		if (!loader_list_read_module(list, entry, &entry, &modules[num]))
			break;
		modules[num].is_new = !loader_list_was_there(list->modules, list->num_modules, num,
							     &modules[num]);
		num++;
	}
	*ret_whole = entry == head;
	free(list->modules);
	list->modules = take_ptr(modules);
	list->num_modules = num;
	list->cap_modules = cap;
	return NULL;
}

/** Also false for a list with nothing in it. */
static bool read_ends(const struct loader_list *list, struct list_ends *ret)
{
	uint64_t loader;
	uint8_t link[LINK_BYTES];
	if (!process_memory_read_pointer(&list->memory, list->block + LIST_IN_BLOCK, &loader) ||
	    !process_memory_read(&list->memory, loader + HEAD_IN_LIST, link, sizeof(link)))
		return false;
	*ret = (struct list_ends){
		.head = loader + HEAD_IN_LIST,
		.first = byte_order_load64(link, false),
		.last = byte_order_load64(link + BEFORE_IN_LINK, false),
	};
	return ret->first && ret->first != ret->head;
}

bool loader_list_is_there(const struct loader_list *list)
{
	struct list_ends ends;
	return read_ends(list, &ends);
}

struct error *loader_list_look(struct loader_list *list, bool *ret_changed)
{
	struct list_ends ends;
	struct loader_module last;
	uint64_t unused;
	*ret_changed = false;
	if (!read_ends(list, &ends) || !loader_list_read_module(list, ends.last, &unused, &last) ||
	    loader_list_is_same(&last, &list->last))
		return NULL;
	bool is_whole = false;
	struct error *err = loader_list_walk(list, ends.head, ends.first, &is_whole);
	if (err)
		return err;
	*ret_changed = true;
	list->last = is_whole ? last : (struct loader_module){0};
	return NULL;
}

bool loader_list_path(const struct loader_list *list, const struct loader_module *module,
		      uint16_t *ret)
{
	return process_memory_read(&list->memory, module->path, ret,
				   module->path_length * (size_t)CHARACTER_BYTES);
}
