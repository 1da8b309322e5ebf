// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/program_file.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads only the first 4096 bytes of a file: the ELF header and program headers (elf(5)) or the #!
// line, as execve(2) does. All offsets are checked against what was read. The options of QEMU's
// -plugin are separated by commas, so that a comma in a path is written twice.

enum { HEAD_SIZE = 4096 };

static ssize_t program_file_read_head(const char *path, char head[static HEAD_SIZE])
{
	int fd = access(path, X_OK) == 0 ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	if (fd < 0)
		return -1;
	ssize_t length = pread(fd, head, HEAD_SIZE, 0);
	close(fd);
	return length;
}

static const char *program_file_skip_blanks(const char *text)
{
	return text + strspn(text, " \t");
}

/** "#! interpreter one argument with blanks", with or without an end of the line. */
static bool parse_script(char *head, size_t length, struct program_script *ret)
{
	head[length < PROGRAM_LINE_SIZE ? length : PROGRAM_LINE_SIZE - 1] = '\0';
	head[strcspn(head, "\n")] = '\0';
	const char *begin = program_file_skip_blanks(head + 2);
	size_t size = strcspn(begin, " \t");
	snprintf(ret->interpreter, sizeof(ret->interpreter), "%.*s", (int)size, begin);
	snprintf(ret->argument, sizeof(ret->argument), "%s",
		 program_file_skip_blanks(begin + size));
	for (size_t end = strlen(ret->argument); end && strchr(" \t", ret->argument[end - 1]);)
		ret->argument[--end] = '\0';
	return *ret->interpreter;
}

enum program_kind program_file_kind(const char *path, struct program_script *script)
{
	char head[HEAD_SIZE];
	ssize_t length = program_file_read_head(path, head);
	if (length < 4)
		return PROGRAM_NONE;
	if (head[0] == '#' && head[1] == '!')
		return parse_script(head, (size_t)length, script) ? PROGRAM_SCRIPT : PROGRAM_NONE;
	if (memcmp(head, ELFMAG, SELFMAG) != 0)
		return PROGRAM_NONE;
	Elf64_Ehdr header;
	if ((size_t)length < sizeof(header))
		return PROGRAM_FOREIGN;
	memcpy(&header, head, sizeof(header));
	bool is_ours = header.e_ident[EI_CLASS] == ELFCLASS64 &&
		       header.e_ident[EI_DATA] == ELFDATA2LSB && header.e_machine == EM_AARCH64;
	return is_ours ? PROGRAM_AARCH64 : PROGRAM_FOREIGN;
}

bool program_file_loader(const char *path, char *ret, size_t size)
{
	char head[HEAD_SIZE];
	ssize_t length = program_file_read_head(path, head);
	Elf64_Ehdr header;
	*ret = '\0';
	if (length < (ssize_t)sizeof(header))
		return false;
	memcpy(&header, head, sizeof(header));
	for (unsigned i = 0; i < header.e_phnum; i++) {
		Elf64_Phdr segment;
		uint64_t place = header.e_phoff + i * sizeof(segment);
		// Linkers put the program headers behind the ELF header, and the interpreter's name
		// soon after: what is not in the first page is not looked for.
		if (header.e_phoff > HEAD_SIZE || place + sizeof(segment) > (uint64_t)length)
			return false;
		memcpy(&segment, head + place, sizeof(segment));
		if (segment.p_type != PT_INTERP)
			continue;
		if (segment.p_offset > HEAD_SIZE || segment.p_filesz >= size ||
		    segment.p_offset + segment.p_filesz > (uint64_t)length)
			return false;
		memcpy(ret, head + segment.p_offset, segment.p_filesz);
		ret[segment.p_filesz] = '\0';
	}
	return true;
}

void program_file_place(const char *sysroot, const char *path, char *ret, size_t size)
{
	int length = snprintf(ret, size, "%s%s", sysroot, path);
	bool is_below = path[0] == '/' && *sysroot && length >= 0 && (size_t)length < size &&
			access(ret, F_OK) == 0;
	// A file that the sysroot lacks is the host's, as QEMU's -L has it.
	if (!is_below)
		snprintf(ret, size, "%s", path);
}

bool program_file_in_path(const char *name, bool (*accepts)(const char *path), char *ret,
			  size_t size)
{
	const char *folders = getenv("PATH");
	for (const char *next = folders; next;) {
		const char *folder = next;
		size_t length = strcspn(folder, ":");
		next = folder[length] ? folder + length + 1 : NULL;
		int written = snprintf(ret, size, "%.*s/%s", length ? (int)length : 1,
				       length ? folder : ".", name);
		if (written > 0 && (size_t)written < size && accepts(ret))
			return true;
	}
	return false;
}

bool program_file_plugin_option(const char *plugin, const char *region, const char *program,
				char *ret, size_t size)
{
	const char *const parts[] = {plugin, ",region=", region, ",program=", program};
	size_t length = 0;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		bool is_key = i % 2;
		size_t before = length;
		// The emulator takes its options apart at commas; two stand for one of a path.
		for (const char *text = parts[i]; *text && length + 2 < size; text++) {
			ret[length++] = *text;
			if (*text == ',' && !is_key)
				ret[length++] = ',';
		}
		ret[length] = '\0';
		if (length + 3 > size || length == before)
			return false;
	}
	return true;
}
