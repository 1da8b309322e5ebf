/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_DWARF_LIBRARY_H
#define WPERF_OBJECT_DWARF_LIBRARY_H

/**
 * The functions of elfutils, loaded when there is DWARF to read: commands that need none do not
 * wait for the library, and a machine without it still has symbols.
 */

#include "base/error.h"

#include <elfutils/libdw.h>
#include <elfutils/libdwelf.h>
#include <libelf.h>

/** Each has the name and the type of the function. */
#define DWARF_LIBRARY_LIBELF(X) \
	X(elf_version)          \
	X(elf_memory)           \
	X(elf_end)

#define DWARF_LIBRARY_LIBDW(X)          \
	X(dwarf_begin_elf)              \
	X(dwarf_end)                    \
	X(dwarf_setalt)                 \
	X(dwelf_dwarf_gnu_debugaltlink) \
	X(dwarf_get_units)              \
	X(dwarf_child)                  \
	X(dwarf_siblingof)              \
	X(dwarf_tag)                    \
	X(dwarf_ranges)                 \
	X(dwarf_attr)                   \
	X(dwarf_attr_integrate)         \
	X(dwarf_formudata)              \
	X(dwarf_formstring)             \
	X(dwarf_decl_file)              \
	X(dwarf_decl_line)              \
	X(dwarf_getsrclines)            \
	X(dwarf_getsrcfiles)            \
	X(dwarf_filesrc)                \
	X(dwarf_onesrcline)             \
	X(dwarf_lineaddr)               \
	X(dwarf_lineno)                 \
	X(dwarf_linecol)                \
	X(dwarf_linesrc)                \
	X(dwarf_lineendsequence)

struct dwarf_library {
	void *libelf, *libdw; /* NULL: not loaded */
#define DWARF_LIBRARY_MEMBER(function) __typeof__(&(function)) function;
	DWARF_LIBRARY_LIBELF(DWARF_LIBRARY_MEMBER)
	DWARF_LIBRARY_LIBDW(DWARF_LIBRARY_MEMBER)
#undef DWARF_LIBRARY_MEMBER
};

#define DWARF_LIBRARY_INIT \
	{                  \
	}

/** The error says which package to install. */
struct error *dwarf_library_load(struct dwarf_library *library);

/** Safe on DWARF_LIBRARY_INIT. */
void dwarf_library_unload(struct dwarf_library *library);

#endif
