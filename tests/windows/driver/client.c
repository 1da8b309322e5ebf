// SPDX-License-Identifier: Apache-2.0

// A client of the driver. `client right|wrong|lock|wait` tells of a session (steps.h); `client
// hold` takes the lock, counts, says so, and waits for its standard input to end.

#include "driver/include/wperf_driver.h"
#include "tests/windows/driver/door.h"
#include "tests/windows/driver/steps.h"

#include <stdio.h>
#include <string.h>

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
	fflush(stdout);
	while (getchar() != EOF)
		;
	door_close(door);
	return true;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		bool (*function)(void);
	} modes[] = {{"right", steps_right},
		     {"wrong", steps_wrong},
		     {"lock", steps_lock},
		     {"wait", steps_wait},
		     {"hold", hold}};
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		if (argc == 2 && strcmp(argv[1], modes[i].name) == 0)
			return !modes[i].function();
	}
	return 2;
}
