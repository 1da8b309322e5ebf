// SPDX-License-Identifier: Apache-2.0

// A client of the driver. `client right|wrong|noise|lock|wait` tells of a session (steps.h);
// `client hold` takes the lock and counts, `client peer` makes the driver like WindowsPerf's: they
// say so, and wait for their standard input to end.

#include "driver/include/wperf_driver.h"
#include "driver/windows/sim_request.h"
#include "tests/windows/driver/door.h"
#include "tests/windows/driver/steps.h"

#include <stdio.h>
#include <string.h>

static void close_at_end_of_input(struct door *door)
{
	fflush(stdout);
	while (getchar() != EOF)
		;
	door_close(door);
}

static bool hold(void)
{
	struct wperf_lock_request get = {WPERF_LOCK_GET};
	struct wperf_lock_reply reply = {WPERF_LOCK_UNKNOWN_ERROR};
	struct wperf_control control = {.cores_count = 1, .flags = WPERF_CONTROL_CORE};
	size_t size;
	struct door *door = door_open();
	if (!door)
		return false;
	uint32_t error = door_ask(door, WPERF_PMU_CTL_LOCK_ACQUIRE, &get, sizeof(get), &reply,
				  sizeof(reply), &size);
	uint32_t start =
		door_ask(door, WPERF_PMU_CTL_START, &control, sizeof(control), NULL, 0, &size);
	printf("error %u, status %u, start %u\n", error, reply.status, start);
	close_at_end_of_input(door);
	return true;
}

static bool peer(void)
{
	uint32_t any = 0;
	size_t size;
	struct door *door = door_open();
	if (!door)
		return false;
	printf("error %u\n",
	       door_ask(door, SIM_REQUEST_HIDE_RINGS, &any, sizeof(any), NULL, 0, &size));
	close_at_end_of_input(door);
	return true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*function)(void);
	} modes[] = {
		{"right", steps_right}, {"wrong", steps_wrong}, {"noise", steps_noise},
		{"lock", steps_lock},   {"wait", steps_wait},   {"hold", hold},
		{"peer", peer},
	};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (argc == 2 && strcmp(argv[1], modes[i].name) == 0)
			return !modes[i].function();
	}
	return 2;
}
