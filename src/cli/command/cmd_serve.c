// SPDX-License-Identifier: Apache-2.0

#include "base/os/interrupt.h"
#include "cli/command.h"
#include "cli/option/options.h"
#include "server/server.h"

#include <stdio.h>

struct error *command_serve(const struct options *options, int *ret_exit)
{
	_cleanup_(server_stopp) struct server *server = NULL;
	const struct server_config config = {
		.place = options->store,
		.listen = options->listen,
		.log = stderr,
	};
	struct error *err = interrupt_install();
	if (!err)
		err = server_start(&config, &server);
	if (err)
		return err;
	printf("wperf serve: %s, store %s\n", server_address(server), server_place(server));
	fflush(stdout); // who started it waits for this line
	return server_wait(server);
}
