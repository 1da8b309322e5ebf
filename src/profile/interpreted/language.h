/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_PROFILE_INTERPRETED_LANGUAGE_H
#define WPERF_PROFILE_INTERPRETED_LANGUAGE_H

/**
 * What reports say of interpreted code that differs between languages. The folder of an interpreter
 * has one; the profile carries it to views and exports.
 */

#include <stdbool.h>
#include <stdint.h>

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
};

/** Of profiles whose interpreter nobody named. */
extern const struct language language_unknown;

/** Can a language have this name, which may be of unchecked data: letters, digits and "+#.- "? */
bool language_is_name(const char *name);

/** As language_unknown, with a name of its own. NULL: no memory. To be freed with free(). */
struct language *language_create(const char *name);

#endif
