// SPDX-License-Identifier: Apache-2.0

#include "cli/command.h"
#include "cli/option/options.h"
#include "report/machine/etw_state.h"

struct error *command_etw(const struct options *options, int *ret_exit)
{
	return options->clean ? etw_state_clean() : etw_state_print();
}
