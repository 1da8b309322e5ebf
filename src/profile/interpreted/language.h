/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_LANGUAGE_H
#define WPERF_PROFILE_INTERPRETED_LANGUAGE_H

/**
 * What reports say of interpreted code that differs between languages. The folder of an interpreter
 * has one; the profile carries it to views and exports.
 */

#include <stdbool.h>
#include <stdint.h>

/** A function that says what the process is for that has it on a stack. */
struct language_role {
	const char *file;     /* the end of its path: "gunicorn/arbiter.py"; NULL: no more rows */
	const char *function; /* without its class */
	const char *words;    /* NULL: it only runs the program's own module */
	/** What the process is that started this one, unless a child says so by a later row; NULL:
	 *  nothing known. */
	const char *parent;
	/** It counts only where this row is the last mark outside of it on the stack. NULL:
	 *  everywhere. */
	const struct language_role *inside;
};

struct language {
	const char *name;       /* as users read it: "Python" */
	uint16_t dwarf;         /* its number in DWARF: DW_LANG_... */
	const char *frame_type; /* of OpenTelemetry's profile.frame.type; NULL: it has none */
	const char *jit_mark;   /* in front of names that its JIT gives code, as in
				   "py::function:/path/of/file.py"; NULL: it gives none */
	/** The rest of a path behind one of these folders is the name of the file when it is
	 *  imported. Ends with NULL. */
	const char *const *package_folders;
	/** As well, with a version in the folder's name: "/lib/python" for /lib/python3.11. NULL:
	 *  none. */
	const char *library_folder;
	/** Files with such names are distinguished by their folders: "__" of __init__.py. NULL:
	 *  none. */
	const char *nameless_prefix;
	/** The function of a program's own module: "<module>". NULL: not known. */
	const char *module_function;
	const struct language_role *roles; /* see process_roles.h; NULL: none */
};

/** Of profiles whose interpreter nobody named. */
extern const struct language language_unknown;

/** Can a language have this name, which may be of unchecked data: letters, digits and "+#.- "? */
bool language_is_name(const char *name);

/** As language_unknown, with a name of its own. NULL: no memory. To be freed with free(). */
struct language *language_create(const char *name);

#endif
