/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/** The tests of one module of a room. */
struct unit_module {
	const char *name;
	/** How many tests failed. */
	int (*run)(void);
};

/** The modules of the room; the last one has no name. CMake writes this table. */
extern const struct unit_module unit_modules[];
