// SPDX-License-Identifier: Apache-2.0

#include "tests/windows/driver/door.h"

#include "driver/windows/sim_request.h"

#include <stdlib.h>
#include <string.h>

struct door {
	char unused; // its address is the client's number
};

// As in the driver: the machine is there while anybody has it open.
static struct sim *machine;
static unsigned num_open;

struct door *door_open(void)
{
	const struct sim_config config = sim_request_config();
	const char *field;
	if (num_open++ == 0) {
		machine = malloc(sizeof(*machine));
		if (!machine || sim_init(machine, &config, &field) != DRIVER_OK)
			abort();
	}
	return malloc(sizeof(struct door));
}

void door_close(struct door *door)
{
	sim_close(machine, (driver_client)door);
	free(door);
	if (--num_open == 0)
		free(machine);
}

// METHOD_BUFFERED: what the I/O manager does around the driver.
uint32_t door_ask(struct door *door, uint32_t code, const void *in, size_t in_size, void *out,
		  size_t out_size, size_t *ret_size)
{
	size_t size = in_size > out_size ? in_size : out_size;
	void *buffer = size ? malloc(size) : NULL;
	if (in_size)
		memcpy(buffer, in, in_size);
	enum driver_status status = sim_request(machine, (driver_client)door, code, buffer, in_size,
						buffer, out_size, ret_size);
	if (*ret_size)
		memcpy(out, buffer, *ret_size);
	free(buffer);
	return driver_status_win32_error(status);
}

void door_pass_time(struct door *door, uint64_t ns)
{
	sim_advance(machine, ns);
}
