// SPDX-License-Identifier: Apache-2.0

#include "object/disassembler.h"

#include "base/array.h"
#include "object/disassembler_ops.h"

#include <string.h>

struct disassembler {
	const struct disassembler_ops *ops;
	void *context;
};

static struct error *none_found(enum object_machine machine)
{
	bool is_arm = machine == OBJECT_MACHINE_AARCH64;
	return error_with_hint(error_create(ERROR_FAILED, "no disassembler for %s is installed",
					    is_arm ? "AArch64" : "x86-64"),
			       "%s", disassemblers_hint(machine));
}

struct error *disassembler_open_first(const struct disassembler_ops *const *all,
				      enum object_machine machine, struct disassembler **ret)
{
	if (machine == OBJECT_MACHINE_OTHER)
		return error_create(ERROR_FAILED,
				    "wperf can disassemble only x86-64 and AArch64 code");
	_cleanup_free_ struct disassembler *disassembler = calloc(1, sizeof(*disassembler));
	if (!disassembler)
		return &error_no_memory;
	for (; *all; all++) {
		struct error *err = (*all)->open(machine, &disassembler->context);
		if (!err) {
			disassembler->ops = *all;
			*ret = take_ptr(disassembler);
			return NULL;
		}
		if (err->code != ERROR_ABSENT)
			return err;
		error_destroy(err);
	}
	return none_found(machine);
}

struct error *disassembler_open(enum object_machine machine, struct disassembler **ret)
{
	return disassembler_open_first(all_disassemblers, machine, ret);
}

bool disassembler_runs_program(enum object_machine machine)
{
	for (const struct disassembler_ops *const *ops = all_disassemblers; *ops; ops++) {
		if ((*ops)->runs_program)
			return true;
		void *context;
		struct error *err = (*ops)->open(machine, &context);
		if (!err) {
			(*ops)->close(context);
			return false;
		}
		error_destroy(err);
	}
	return false;
}

void disassembler_destroy(struct disassembler *disassembler)
{
	if (!disassembler)
		return;
	disassembler->ops->close(disassembler->context);
	free(disassembler);
}

struct error *disassembler_decode(struct disassembler *disassembler, struct object_bytes code,
				  struct instruction_list *ret)
{
	if (!code.size)
		return NULL;
	struct error *err = disassembler->ops->decode(disassembler->context, code, ret);
	return err ? err : instruction_list_settle(ret);
}

const char *disassembler_name(const struct disassembler *disassembler)
{
	return disassembler->ops->name(disassembler->context);
}

struct error *instruction_list_add(struct instruction_list *list, uint64_t address, uint32_t size,
				   const char *text)
{
	struct error *err = array_reserve(&list->items, &list->cap_items, list->num_items + 1);
	if (err)
		return err;
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
