// SPDX-License-Identifier: Apache-2.0

#include "base/file/file_size_limit.h"

#include <signal.h>
#include <stddef.h>

static void file_size_limit_do_nothing(int signal)
{
}

// A handler, as exec() resets it: a signal that is ignored would be so in the programs as well.
void file_size_limit_make_error(void)
{
	const struct sigaction action = {.sa_handler = file_size_limit_do_nothing,
					 .sa_flags = SA_RESTART};
	struct sigaction before;
	// Who started wperf may have chosen already.
	if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}
