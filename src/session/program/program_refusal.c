// SPDX-License-Identifier: Apache-2.0

#include "session/program/program_refusal.h"

#include "base/file/file_path.h"
#include "base/os/host.h"
#include "process/program_format.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

// execve(2) has few error codes, and each has several reasons. ENOENT means that the program is
// missing, or its loader, or the interpreter of a script. EACCES means that the right to execute it
// is missing, on the file, on a folder above it or by the mount. ENOEXEC means any format that the
// kernel does not run. Shells report a script without its interpreter as "not found", though the
// script is there. Therefore the file is read (program_format.h), and checked in the order in
// which the kernel would stop: is it a file, may it be executed, is its format one of this system
// and machine, is what runs it there?
//
// Nothing is guessed: if the file does not show a reason, the error of the system is all there is.

static void __attribute__((format(printf, 2, 3)))
program_refusal_say(char ret[static PROGRAM_REFUSAL_SIZE], const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(ret, PROGRAM_REFUSAL_SIZE, format, args);
	va_end(args);
}

static void explain_machine(const char *machine, const char *host, struct program_refusal *ret)
{
	const char *title = program_format_machine_title(machine);
	bool is_vowel_sound = strchr("AEIOUx", *title) != NULL; // "an x86-64 program"
	program_refusal_say(ret->reason, "it is a%s %s program, and this machine is %s",
			    is_vowel_sound ? "n" : "", title, program_format_machine_title(host));
	if (strcmp(machine, "aarch64") == 0)
		program_refusal_say(ret->hint, "use --source emulate, which runs AArch64 programs");
	else
		program_refusal_say(ret->hint, "use a program for %s",
				    program_format_machine_title(host));
}

static bool explain_elf(const struct program_format *format, struct program_refusal *ret)
{
	struct host host = host_read();
	if (!format->is_program) {
		program_refusal_say(ret->reason, "it is an object file, not a program");
		program_refusal_say(ret->hint, "link it first");
		return true;
	}
	if (format->machine && strcmp(format->machine, host.machine) != 0) {
		explain_machine(format->machine, host.machine, ret);
		return true;
	}
	// PT_INTERP: /lib/ld-musl-x86_64.so.1 on a system with glibc, for example.
	if (!*format->interpreter || file_path_kind(format->interpreter) != FILE_PATH_ABSENT)
		return false;
	program_refusal_say(ret->reason, "its loader '%s' is missing", format->interpreter);
	program_refusal_say(
		ret->hint,
		"it was built for another system or C library; build it here, or install "
		"that library");
	return true;
}

static bool explain_script(const char *path, const struct program_format *format,
			   struct program_refusal *ret)
{
	// The kernel takes the carriage return for a part of the name: "/bin/sh\r" does not exist.
	size_t length = strlen(format->interpreter);
	if (length && format->interpreter[length - 1] == '\r') {
		program_refusal_say(ret->reason, "its first line ends as on Windows (CRLF)");
		program_refusal_say(ret->hint, "remove the carriage returns: sed -i 's/\\r$//' %s",
				    path);
		return true;
	}
	if (file_path_kind(format->interpreter) != FILE_PATH_ABSENT)
		return false;
	program_refusal_say(ret->reason, "its interpreter '%s' is missing", format->interpreter);
	program_refusal_say(ret->hint,
			    "correct the first line of %s, or write the interpreter before it",
			    path);
	return true;
}

static void explain_right(const char *path, const struct program_format *format,
			  struct program_refusal *ret)
{
	program_refusal_say(ret->reason, "it is not executable");
	if (format->kind == PROGRAM_FORMAT_SCRIPT && *format->interpreter)
		program_refusal_say(ret->hint, "chmod +x %s, or run: %s %s", path,
				    format->interpreter, path);
	else if (format->kind == PROGRAM_FORMAT_TEXT)
		program_refusal_say(ret->hint, "write its interpreter before it, as in: python3 %s",
				    path);
	else
		program_refusal_say(ret->hint, "chmod +x %s", path);
}

static bool explain_format(const char *path, const struct program_format *format,
			   struct program_refusal *ret)
{
	switch (format->kind) {
	case PROGRAM_FORMAT_ELF:
		return explain_elf(format, ret);
	case PROGRAM_FORMAT_SCRIPT:
		return explain_script(path, format, ret);
	case PROGRAM_FORMAT_PE:
		program_refusal_say(ret->reason, "it is a Windows program");
		program_refusal_say(ret->hint, "run it on Windows with wperf.exe");
		return true;
	case PROGRAM_FORMAT_MACH_O:
		program_refusal_say(ret->reason, "it is a macOS program");
		program_refusal_say(ret->hint, "use a program for this system");
		return true;
	case PROGRAM_FORMAT_TEXT:
		program_refusal_say(ret->reason, "it is a text file without a #! line");
		program_refusal_say(ret->hint, "write its interpreter before it, as in: sh %s",
				    path);
		return true;
	case PROGRAM_FORMAT_EMPTY:
		program_refusal_say(ret->reason, "it is empty");
		program_refusal_say(ret->hint, "its build may have failed");
		return true;
	case PROGRAM_FORMAT_UNKNOWN:
		break;
	}
	return false;
}

bool program_refusal_find(const char *path, bool may_run, struct program_refusal *ret)
{
	struct program_format format;
	switch (file_path_kind(path)) {
	case FILE_PATH_ABSENT:
		return false;
	case FILE_PATH_OTHER:
		program_refusal_say(ret->reason, "it is not a file");
		program_refusal_say(
			ret->hint,
			"give the path of a program; '%s' is a folder, a pipe or a device", path);
		return true;
	case FILE_PATH_FILE:
		break;
	}
	if (!program_format_read_file(path, &format))
		return false;
	if (!may_run) {
		explain_right(path, &format, ret);
		return true;
	}
	return explain_format(path, &format, ret);
}
