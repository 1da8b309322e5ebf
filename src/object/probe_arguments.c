// SPDX-License-Identifier: Apache-2.0

#include "object/probe_arguments.h"

#include "base/container/array.h"

#include <stdlib.h>
#include <string.h>

// The grammar is that of systemtap's wiki, "UserSpaceProbeImplementation": N@OP, where N is the
// size, negative if the number has a sign, with "f" for floating point, and OP an operand as the
// compiler writes it into assembly: of AT&T's syntax on x86-64. On AArch64 an operand in memory has
// blanks inside its brackets. Older files leave N@ out: 8 bytes.

enum { REGISTER_NAME = 8, SIZE_LEFT_OUT = 8, MAX_SCALE = 8 };

/** A register under the names of its parts. */
struct register_names {
	uint8_t number; /* its word in struct pt_regs */
	const char *names[4];
};

static const struct register_names x86_registers[] = {
	{0, {"r15", "r15d", "r15w", "r15b"}}, {1, {"r14", "r14d", "r14w", "r14b"}},
	{2, {"r13", "r13d", "r13w", "r13b"}}, {3, {"r12", "r12d", "r12w", "r12b"}},
	{4, {"rbp", "ebp", "bp", "bpl"}},     {5, {"rbx", "ebx", "bx", "bl"}},
	{6, {"r11", "r11d", "r11w", "r11b"}}, {7, {"r10", "r10d", "r10w", "r10b"}},
	{8, {"r9", "r9d", "r9w", "r9b"}},     {9, {"r8", "r8d", "r8w", "r8b"}},
	{10, {"rax", "eax", "ax", "al"}},     {11, {"rcx", "ecx", "cx", "cl"}},
	{12, {"rdx", "edx", "dx", "dl"}},     {13, {"rsi", "esi", "si", "sil"}},
	{14, {"rdi", "edi", "di", "dil"}},    {16, {"rip"}},
	{19, {"rsp", "esp", "sp", "spl"}},
};

enum {
	X86_RAX = 10,
	X86_RIP = 16,
	AARCH64_SP = 31,
	AARCH64_NUM_X = 31,
	AARCH64_FP = 29,
	AARCH64_LR = 30
};

/** "rdi" of `%rdi,`: the letters and digits at the cursor. */
static size_t take_name(const char **cursor, char name[static REGISTER_NAME])
{
	size_t length = strspn(*cursor, "abcdefghijklmnopqrstuvwxyz0123456789");
	if (!length || length >= REGISTER_NAME)
		return 0;
	memcpy(name, *cursor, length);
	name[length] = '\0';
	*cursor += length;
	return length;
}

static bool take_x86_register(const char **cursor, uint8_t *ret)
{
	char name[REGISTER_NAME];
	if (**cursor != '%')
		return false;
	++*cursor;
	if (!take_name(cursor, name))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(x86_registers); i++) {
		for (size_t k = 0; k < ARRAY_SIZE(x86_registers[i].names); k++) {
			const char *known = x86_registers[i].names[k];
			if (!known || strcmp(known, name) != 0)
				continue;
			*ret = x86_registers[i].number;
			return true;
		}
	}
	return false;
}

static bool take_aarch64_register(const char **cursor, uint8_t *ret)
{
	char name[REGISTER_NAME];
	if (!take_name(cursor, name))
		return false;
	static const struct {
		const char *name;
		uint8_t number;
	} named[] = {
		{"sp", AARCH64_SP}, {"wsp", AARCH64_SP}, {"fp", AARCH64_FP}, {"lr", AARCH64_LR}};
	for (size_t i = 0; i < ARRAY_SIZE(named); i++) {
		if (strcmp(named[i].name, name) != 0)
			continue;
		*ret = named[i].number;
		return true;
	}
	if ((name[0] != 'x' && name[0] != 'w') || name[1] < '0' || name[1] > '9')
		return false;
	char *end;
	unsigned long number = strtoul(name + 1, &end, 10);
	if (*end || number >= AARCH64_NUM_X)
		return false;
	*ret = (uint8_t)number;
	return true;
}

/** False: there is none, or it does not fit. */
static bool take_displacement(const char **cursor, int64_t *ret)
{
	const char *digits = *cursor + (**cursor == '-' || **cursor == '+');
	if (*digits < '0' || *digits > '9')
		return false;
	char *end;
	long long value = strtoll(*cursor, &end, 0);
	*cursor = end;
	*ret = value;
	return value > INT64_MIN && value < INT64_MAX;
}

static bool take_char(const char **cursor, char c)
{
	if (**cursor != c)
		return false;
	++*cursor;
	return true;
}

/** 8(%rax), (%rax,%rbx,4), -4(%rbp). */
static bool take_x86_memory(const char **cursor, struct probe_argument *argument)
{
	argument->kind = PROBE_ARGUMENT_MEMORY;
	if (**cursor != '(' && !take_displacement(cursor, &argument->displacement))
		return false;
	if (!take_char(cursor, '(') || !take_x86_register(cursor, &argument->reg))
		return false;
	if (take_char(cursor, ',') && !take_x86_register(cursor, &argument->index))
		return false;
	int64_t scale = 1;
	if (argument->index != PROBE_NO_REGISTER && take_char(cursor, ',') &&
	    !take_displacement(cursor, &scale))
		return false;
	if (scale < 1 || scale > MAX_SCALE || (scale & (scale - 1)))
		return false;
	argument->scale = (uint8_t)scale;
	// Beside %rip stands the distance to the next instruction, which only the linker knows.
	return take_char(cursor, ')') && argument->reg != X86_RIP;
}

static bool take_x86_operand(const char **cursor, struct probe_argument *argument)
{
	if (take_char(cursor, '$'))
		return take_displacement(cursor, &argument->displacement);
	if (**cursor != '%')
		return take_x86_memory(cursor, argument);
	argument->kind = PROBE_ARGUMENT_REGISTER;
	return take_x86_register(cursor, &argument->reg);
}

/** [sp], [x0, 16], [x29, -4], [x0, x1]. */
static bool take_aarch64_memory(const char **cursor, struct probe_argument *argument)
{
	argument->kind = PROBE_ARGUMENT_MEMORY;
	if (!take_aarch64_register(cursor, &argument->reg))
		return false;
	if (take_char(cursor, ',')) {
		*cursor += strspn(*cursor, " #");
		if (!take_displacement(cursor, &argument->displacement) &&
		    !take_aarch64_register(cursor, &argument->index))
			return false;
	}
	return take_char(cursor, ']');
}

static bool take_aarch64_operand(const char **cursor, struct probe_argument *argument)
{
	if (take_char(cursor, '['))
		return take_aarch64_memory(cursor, argument);
	if (take_displacement(cursor, &argument->displacement))
		return true;
	argument->kind = PROBE_ARGUMENT_REGISTER;
	return take_aarch64_register(cursor, &argument->reg);
}

static bool take_size(const char **cursor, struct probe_argument *argument)
{
	argument->size = SIZE_LEFT_OUT;
	size_t token = strcspn(*cursor, " ");
	const char *at = memchr(*cursor, '@', token);
	if (!at)
		return true;
	int64_t size;
	if (!take_displacement(cursor, &size) || *cursor != at)
		return false; // such as "8f@"
	++*cursor;
	argument->is_signed = size < 0;
	argument->size = (uint8_t)(size < 0 ? -size : size);
	return size >= -8 && size <= 8 &&
	       (argument->size == 1 || argument->size == 2 || argument->size == 4 ||
		argument->size == 8);
}

/** The end of one: a blank, but those in brackets belong to it. */
static const char *argument_end(const char *text)
{
	const char *end = text + strcspn(text, " ");
	const char *open = memchr(text, '[', (size_t)(end - text));
	const char *close = open ? strchr(open, ']') : NULL;
	return close ? close + 1 : end;
}

static const char *argument_start(const char *arguments, size_t number)
{
	const char *text = arguments + strspn(arguments, " ");
	while (*text && --number) {
		text = argument_end(text);
		text += strspn(text, " ");
	}
	return text;
}

size_t probe_arguments_count(const char *arguments)
{
	size_t num = 0;
	for (const char *text = arguments + strspn(arguments, " "); *text; num++) {
		text = argument_end(text);
		text += strspn(text, " ");
	}
	return num;
}

bool probe_argument_find(const char *arguments, size_t number, enum object_machine machine,
			 struct probe_argument *ret)
{
	struct probe_argument argument = {
		.reg = PROBE_NO_REGISTER, .index = PROBE_NO_REGISTER, .scale = 1};
	const char *cursor = number ? argument_start(arguments, number) : "";
	if (!*cursor || !take_size(&cursor, &argument))
		return false;
	bool is_read = machine == OBJECT_MACHINE_X86_64 ? take_x86_operand(&cursor, &argument)
		       : machine == OBJECT_MACHINE_AARCH64
			       ? take_aarch64_operand(&cursor, &argument)
			       : false;
	if (!is_read || (*cursor && *cursor != ' '))
		return false;
	*ret = argument;
	return true;
}

static struct probe_argument whole_register(uint8_t reg)
{
	return (struct probe_argument){
		.kind = PROBE_ARGUMENT_REGISTER,
		.size = 8,
		.is_signed = true,
		.reg = reg,
		.index = PROBE_NO_REGISTER,
		.scale = 1,
	};
}

// The calling conventions: System V's for x86-64, "Procedure Call Standard" for AArch64.
bool probe_argument_of_call(size_t number, enum object_machine machine, struct probe_argument *ret)
{
	static const uint8_t x86[] = {14, 13, 12, 11, 9, 8}; // rdi, rsi, rdx, rcx, r8, r9
	enum { AARCH64_ARGUMENTS = 8 };
	if (!number)
		return false;
	if (machine == OBJECT_MACHINE_X86_64 && number <= ARRAY_SIZE(x86)) {
		*ret = whole_register(x86[number - 1]);
		return true;
	}
	if (machine == OBJECT_MACHINE_AARCH64 && number <= AARCH64_ARGUMENTS) {
		*ret = whole_register((uint8_t)(number - 1));
		return true;
	}
	return false;
}

bool probe_argument_of_return(enum object_machine machine, struct probe_argument *ret)
{
	if (machine != OBJECT_MACHINE_X86_64 && machine != OBJECT_MACHINE_AARCH64)
		return false;
	*ret = whole_register(machine == OBJECT_MACHINE_X86_64 ? X86_RAX : 0);
	return true;
}
