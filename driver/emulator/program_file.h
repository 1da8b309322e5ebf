/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_EMULATOR_PROGRAM_FILE_H
#define WPERF_EMULATOR_PROGRAM_FILE_H

/** A file that somebody wants to run in the emulator: what it is, and where it is. */

#include <stdbool.h>
#include <stddef.h>

enum program_kind {
	PROGRAM_NONE,    /* not there, may not be run, or nothing known */
	PROGRAM_AARCH64, /* ELF of AArch64 */
	PROGRAM_FOREIGN, /* ELF of another machine */
	PROGRAM_SCRIPT,  /* begins with #! */
};

enum { PROGRAM_LINE_SIZE = 256 };

struct program_script {
	char interpreter[PROGRAM_LINE_SIZE];
	char argument[PROGRAM_LINE_SIZE]; /* "" if there is none */
};

/** @script: filled for a script. */
enum program_kind program_file_kind(const char *path, struct program_script *script);

/** The loader that an AArch64 program asks for; "" for a static one. */
bool program_file_loader(const char *path, char *ret, size_t size);

/** Where a program finds a file: below the sysroot if it is there, else where it says. */
void program_file_place(const char *sysroot, const char *path, char *ret, size_t size);

/**
 * The first file of this name in the folders of PATH that @accepts takes.
 * @ret: its path; false if there is none.
 */
bool program_file_in_path(const char *name, bool (*accepts)(const char *path), char *ret,
			  size_t size);

/** What the emulator's -plugin option says. @program: the file that it emulates. */
bool program_file_plugin_option(const char *plugin, const char *region, const char *program,
				char *ret, size_t size);

#endif
