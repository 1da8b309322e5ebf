// SPDX-License-Identifier: Apache-2.0

#include "object/disassembly/instruction_list.h"

#include "base/container/array.h"

#include <string.h>

struct error *instruction_list_add(struct instruction_list *list, uint64_t address, uint32_t size,
				   const char *text)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (err)
		return err;
	// The text goes into one buffer with all others: one allocation instead of one for each.
	list->items[list->num_items++] =
		(struct instruction){.address = address, .size = size, .text = ""};
	string_builder_append_n(&list->text, text, strlen(text) + 1);
	return NULL;
}

// While texts are added, they move. They stand in the order of the instructions.
struct error *instruction_list_settle(struct instruction_list *list)
{
	if (list->text.failed)
		return &error_no_memory;
	const char *text = string_builder_peek(&list->text);
	for (size_t i = 0; i < list->num_items; i++) {
		list->items[i].text = text;
		text += strlen(text) + 1;
	}
	return NULL;
}

void instruction_list_deinit(struct instruction_list *list)
{
	free(list->items);
	string_builder_deinit(&list->text);
	*list = (struct instruction_list){0};
}
