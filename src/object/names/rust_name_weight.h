/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_OBJECT_NAMES_RUST_NAME_WEIGHT_H
#define WPERF_OBJECT_NAMES_RUST_NAME_WEIGHT_H

/**
 * How much work it is to print a demangled Rust name, of the scheme that begins with "_R": its
 * parts refer to earlier ones, and its lifetimes are counted by numbers of any size, so that a
 * short name can stand for more text than any disk holds.
 */

enum rust_name_weight {
	RUST_NAME_IS_LIGHT,
	RUST_NAME_IS_HEAVY,   /* libiberty would print it for ever, or nearly so */
	RUST_NAME_IS_DAMAGED, /* or it is no such name */
};

enum rust_name_weight rust_name_weigh(const char *mangled);

#endif
