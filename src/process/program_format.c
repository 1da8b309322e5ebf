// SPDX-License-Identifier: Apache-2.0
// Layouts: the System V ABI (ELF), Microsoft's PE format, Apple's mach-o/loader.h and fat.h.

#include "process/program_format.h"

#include "base/container/array.h"
#include "base/file/file_path.h"

#include <stdio.h>
#include <string.h>

enum {
	ELF_CLASS = 4,
	ELF_CLASS_64 = 2,
	ELF_DATA = 5,
	ELF_BIG_ENDIAN = 2,
	ELF_TYPE = 16,
	ELF_EXECUTABLE = 2,
	ELF_SHARED = 3, // and programs that may be loaded anywhere
	ELF_MACHINE = 18,
	ELF_SEGMENTS = 32,
	ELF_SEGMENT_SIZE = 54,
	ELF_NUM_SEGMENTS = 56,
	ELF_INTERPRETER = 3,
	PE_HEADER_AT = 60,
};

struct machine_name {
	uint16_t code;
	const char *name;
};

// e_machine: EM_386, EM_MIPS, EM_PPC ...
static const struct machine_name elf_machines[] = {
	{3, "i686"}, {8, "mips"},    {20, "ppc"},      {21, "ppc64"},  {22, "s390x"},
	{40, "arm"}, {62, "x86_64"}, {183, "aarch64"}, {243, "riscv"}, {258, "loongarch"},
};

// IMAGE_FILE_MACHINE_I386, _AMD64, _ARM64 and _ARMNT.
static const struct machine_name pe_machines[] = {
	{0x14c, "i686"}, {0x8664, "x86_64"}, {0xaa64, "aarch64"}, {0x1c4, "arm"}};

static const struct {
	const char *machine, *title;
} titles[] = {
	{"aarch64", "AArch64"}, {"x86_64", "x86-64"},       {"i686", "32-bit x86"},
	{"arm", "32-bit Arm"},  {"riscv", "RISC-V"},        {"ppc", "32-bit PowerPC"},
	{"ppc64", "PowerPC"},   {"loongarch", "LoongArch"}, {"mips", "MIPS"},
	{"s390x", "s390x"},
};

const char *program_format_machine_title(const char *machine)
{
	for (size_t i = 0; i < ARRAY_SIZE(titles); i++)
		if (strcmp(titles[i].machine, machine) == 0)
			return titles[i].title;
	return machine;
}

static const char *program_format_name_of(const struct machine_name *names, size_t count,
					  uint16_t code)
{
	for (size_t i = 0; i < count; i++)
		if (names[i].code == code)
			return names[i].name;
	return NULL;
}

/** Little endian; 0 for what is not there. */
static uint64_t number_at(const uint8_t *bytes, size_t size, uint64_t at, size_t width)
{
	uint64_t value = 0;
	if (at > size || size - at < width)
		return 0;
	for (size_t i = width; i-- > 0;)
		value = value << 8 | bytes[at + i];
	return value;
}

static void copy_path(char ret[static PROGRAM_FORMAT_PATH_SIZE], const uint8_t *text, size_t length)
{
	if (length >= PROGRAM_FORMAT_PATH_SIZE)
		return;
	memcpy(ret, text, length);
	ret[length] = '\0';
}

static struct program_format read_elf(const uint8_t *bytes, size_t size)
{
	struct program_format format = {.kind = PROGRAM_FORMAT_ELF};
	bool is_big = size > ELF_DATA && bytes[ELF_DATA] == ELF_BIG_ENDIAN;
	uint16_t type = (uint16_t)number_at(bytes, size, ELF_TYPE, 2);
	uint16_t machine = (uint16_t)number_at(bytes, size, ELF_MACHINE, 2);
	// Numbers are read as little-endian: these two are turned round, and of a big-endian
	// program nothing else is needed, as no machine of ours runs it.
	if (is_big) {
		type = (uint16_t)(type >> 8 | type << 8);
		machine = (uint16_t)(machine >> 8 | machine << 8);
	}
	format.machine = program_format_name_of(elf_machines, ARRAY_SIZE(elf_machines), machine);
	format.is_program = type == ELF_EXECUTABLE || type == ELF_SHARED;
	if (is_big || size <= ELF_CLASS || bytes[ELF_CLASS] != ELF_CLASS_64)
		return format;
	uint64_t at = number_at(bytes, size, ELF_SEGMENTS, 8);
	uint64_t step = number_at(bytes, size, ELF_SEGMENT_SIZE, 2);
	uint64_t count = number_at(bytes, size, ELF_NUM_SEGMENTS, 2);
	for (uint64_t i = 0; step && i < count && at < size; i++, at += step) {
		if (number_at(bytes, size, at, 4) != ELF_INTERPRETER)
			continue;
		// Elf64_Phdr: p_offset and p_filesz of the path of the loader.
		uint64_t offset = number_at(bytes, size, at + 8, 8);
		uint64_t length = number_at(bytes, size, at + 32, 8);
		if (offset <= size && length <= size - offset)
			copy_path(format.interpreter, bytes + offset,
				  strnlen((const char *)bytes + offset, length));
	}
	return format;
}

static struct program_format read_script(const uint8_t *bytes, size_t size)
{
	struct program_format format = {.kind = PROGRAM_FORMAT_SCRIPT};
	size_t begin = 2;
	// As the kernel does (fs/binfmt_script.c): blanks may stand before the interpreter.
	while (begin < size && (bytes[begin] == ' ' || bytes[begin] == '\t'))
		begin++;
	size_t end = begin;
	while (end < size && !strchr(" \t\n", bytes[end])) // a NUL ends it, too
		end++;
	copy_path(format.interpreter, bytes + begin, end - begin);
	return format;
}

static struct program_format read_pe(const uint8_t *bytes, size_t size)
{
	struct program_format format = {.kind = PROGRAM_FORMAT_PE};
	uint64_t at = number_at(bytes, size, PE_HEADER_AT, 4);
	if (at <= size && size - at >= 4 && memcmp(bytes + at, "PE\0\0", 4) == 0)
		format.machine =
			program_format_name_of(pe_machines, ARRAY_SIZE(pe_machines),
					       (uint16_t)number_at(bytes, size, at + 4, 2));
	return format;
}

/** Of 32 and 64 bits, in either order of bytes, and for several machines at once. */
static bool is_mach_o(const uint8_t *bytes, size_t size)
{
	static const uint8_t magics[][4] = {
		{0xfe, 0xed, 0xfa, 0xce}, {0xce, 0xfa, 0xed, 0xfe}, {0xfe, 0xed, 0xfa, 0xcf},
		{0xcf, 0xfa, 0xed, 0xfe}, {0xca, 0xfe, 0xba, 0xbe},
	};
	for (size_t i = 0; size >= 4 && i < ARRAY_SIZE(magics); i++)
		if (memcmp(bytes, magics[i], 4) == 0)
			return true;
	return false;
}

struct program_format program_format_read(const uint8_t *bytes, size_t size)
{
	if (!size)
		return (struct program_format){.kind = PROGRAM_FORMAT_EMPTY};
	if (size >= 4 && memcmp(bytes, "\177ELF", 4) == 0)
		return read_elf(bytes, size);
	if (size >= 2 && memcmp(bytes, "#!", 2) == 0)
		return read_script(bytes, size);
	if (size >= 2 && memcmp(bytes, "MZ", 2) == 0)
		return read_pe(bytes, size);
	if (is_mach_o(bytes, size))
		return (struct program_format){.kind = PROGRAM_FORMAT_MACH_O};
	bool is_text = true;
	for (size_t i = 0; i < size; i++)
		is_text &= bytes[i] >= ' ' || (bytes[i] && strchr("\t\n\r\f", bytes[i]));
	return (struct program_format){.kind = is_text ? PROGRAM_FORMAT_TEXT
						       : PROGRAM_FORMAT_UNKNOWN};
}

bool program_format_read_file(const char *path, struct program_format *ret)
{
	uint8_t bytes[PROGRAM_FORMAT_BYTES];
	FILE *file = file_path_open_regular(path);
	if (!file)
		return false;
	size_t size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	*ret = program_format_read(bytes, size);
	return true;
}
