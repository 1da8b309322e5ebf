/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_CATALOG_LINUX_PROBE_POINT_H
#define WPERF_CATALOG_LINUX_PROBE_POINT_H

/**
 * Probes as events of -e: places in code that the kernel counts and samples.
 *
 *	"u:" FILE ":" PLACE               when a function of a program or library is called
 *	"ur:" FILE ":" FUNCTION           when it returns
 *	"k:" PLACE, "kr:" FUNCTION        the same of the kernel
 *	"usdt:" [ FILE ":" ] PROVIDER ":" NAME
 *	                                  a static probe (systemtap's sys/sdt.h); without a file, of
 *	                                  the program that is profiled
 *	"exceptions"                      an interpreter of the target raises one
 *	PLACE = FUNCTION [ "+" bytes ]    of a file also "+" bytes: its offset in the file
 *
 * Each may have values behind it: see catalog/linux/probe_values.h.
 *
 * FILE is a path with a slash and without a colon. Only the words are read here: which place a
 * name means is found by session/setup/probe_places.h, since it takes the file.
 */

#include "base/error.h"
#include "catalog/catalog_tables.h"
#include "catalog/linux/probe_values.h"

#include <stdbool.h>

#define PROBE_POINT_EXCEPTIONS "exceptions"

enum probe_point_kind {
	PROBE_POINT_FILE,   /* a function or an offset */
	PROBE_POINT_KERNEL, /* a function */
	PROBE_POINT_STATIC, /* a probe that the program has built in */
	PROBE_POINT_RAISE,  /* where an interpreter raises exceptions of its code */
};

/** What a word says. All texts belong to the catalog. */
struct probe_point {
	enum probe_point_kind kind;
	bool is_return;
	const char *file;     /* NULL: not said, or of the kernel */
	const char *provider; /* of a static probe; else NULL */
	const char *name;     /* of the function or probe; "": only the offset counts */
	uint64_t offset;      /* from the function's beginning; without a name, of the file */
	const struct probe_values *values; /* NULL: none */
};

/**
 * Read a word; a place is not looked up.
 * @ret: a struct system_event with `probe`, without a type yet; NULL if @word is no probe, or has
 *       more colons than a probe: these may be modifiers and a period.
 */
struct error *probe_point_find(struct catalog *catalog, const char *word, const struct event **ret);

#endif
