/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_BASE_RIGHTS_OWN_PROGRAM_H
#define WPERF_BASE_RIGHTS_OWN_PROGRAM_H

/**
 * The file of this program, and what it lends: on Linux, root can give it file capabilities
 * (capabilities(7)) and close it to all but a group. The file as it was before is remembered at
 * the file itself.
 */

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** What is lent, as setcap(8) writes it: the least with which BPF programs at samples load. */
#define OWN_PROGRAM_CAPABILITIES "cap_bpf,cap_perfmon"

struct own_program {
	char *path;
	int fd;
	uint32_t group;     /* its number */
	unsigned mode;      /* 0750: permissions only */
	bool lends;         /* it has file capabilities */
	bool is_remembered; /* what it was before */
};

#define OWN_PROGRAM_INIT  \
	{                 \
		.fd = -1, \
	}

/** Where it is; @ret: freed by the caller. Linux only. */
struct error *own_program_path(char **ret);

/** @ret: ended by own_program_close(); empty on failure. Windows: an error, as files give no rights
 * there. */
struct error *own_program_open(struct own_program *ret);
void own_program_close(struct own_program *program);

/** Would it be safe to lend capabilities, and have an effect? The error says why not. */
struct error *own_program_check(const struct own_program *program);

/**
 * Lend OWN_PROGRAM_CAPABILITIES to the members of a group, and let nobody else but root run the
 * file; it must have passed the check. Needs root.
 * @ret_is_remembered: own_program_restore() will know what the file was.
 */
struct error *own_program_lend(struct own_program *program, uint32_t group,
			       bool *ret_is_remembered);

/** Back to what it was; if that is not known, as packages install it: root's, mode 0755. */
struct error *own_program_restore(struct own_program *program);

#endif
