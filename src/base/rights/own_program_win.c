// SPDX-License-Identifier: Apache-2.0

#include "base/rights/own_program.h"

static struct error *own_program_refuse(void)
{
	return error_with_hint(
		error_create(ERROR_FAILED, "programs have no file capabilities on Windows"),
		"the driver gives the rights: install it with wperf-devgen install, as "
		"administrator");
}

struct error *own_program_path(char **ret)
{
	return own_program_refuse();
}

struct error *own_program_open(struct own_program *ret)
{
	return own_program_refuse();
}

void own_program_close(struct own_program *program)
{
}

struct error *own_program_check(const struct own_program *program)
{
	return own_program_refuse();
}

struct error *own_program_lend(struct own_program *program, uint32_t group, bool *ret_is_remembered)
{
	return own_program_refuse();
}

struct error *own_program_restore(struct own_program *program)
{
	return own_program_refuse();
}
