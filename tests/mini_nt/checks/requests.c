// SPDX-License-Identifier: Apache-2.0

// Requests that wait, clients that cancel, compete and go away.

#include "tests/mini_nt/checks/checks.h"
#include "tests/mini_nt/kernel/dpc.h"

#define ONLY_USER WPERF_FILTER_EXCLUDE_EL1

enum { INTERVAL = 100 };

static struct request waiting;

static NTSTATUS begin_waiting(struct client *client)
{
	const struct wperf_ring_wait wait = {0};
	return client_begin(client, &waiting, WPERF_RING_CTL_WAIT, &wait, sizeof(wait),
			    sizeof(struct wperf_ring_ready));
}

static void start(struct report *report, struct client *client)
{
	EXPECT_EQUAL(report,
		     client_start_sampling(client, CLIENT_ALL_CPUS, EVENT_SW_INCR, INTERVAL,
					   ONLY_USER),
		     STATUS_SUCCESS);
}

// Until a ring is full to a quarter; then until nothing samples any more.
void check_waiting(struct report *report)
{
	enum { ENOUGH = 64 * 1024 / 64 * INTERVAL };
	struct client client;
	client_begin_check(&client, report);
	start(report, &client);
	EXPECT_EQUAL(report, begin_waiting(&client), STATUS_PENDING);
	thread_join(thread_create_user(3, user_increment, 100 * INTERVAL, 0));
	thread_sleep_ms(50);
	EXPECT_EQUAL(report, waiting.done.Header.SignalState, 0);
	thread_join(thread_create_user(3, user_increment, 2 * ENOUGH, 0));
	EXPECT_EQUAL(report, client_end(&waiting), STATUS_SUCCESS);
	EXPECT_EQUAL(report, waiting.buffer[0], 1 << 3);
	client_stop_sampling(&client, CLIENT_ALL_CPUS);
	EXPECT_EQUAL(report, begin_waiting(&client), STATUS_SUCCESS);
	client_end_check(&client);
}

void check_cancel(struct report *report)
{
	struct client client;
	client_begin_check(&client, report);
	start(report, &client);
	for (unsigned i = 0; i < 20; i++) {
		EXPECT_EQUAL(report, begin_waiting(&client), STATUS_PENDING);
		thread_sleep_ms(i % 4);
		exports_cancel(&waiting.irp);
		EXPECT_EQUAL(report, client_end(&waiting), STATUS_CANCELLED);
	}
	client_end_check(&client);
}

static NTSTATUS lock(struct client *client, uint32_t flag, uint32_t *ret_status)
{
	struct wperf_lock_request request = {flag};
	struct wperf_lock_reply reply = {0};
	NTSTATUS status = client_ask(client, WPERF_PMU_CTL_LOCK_ACQUIRE, &request, sizeof(request),
				     &reply, sizeof(reply));
	*ret_status = reply.status;
	return status;
}

// The second takes the lock by force: the first, which waits, hears of that.
void check_two_clients(struct report *report)
{
	struct client first, second;
	uint32_t status;
	client_begin_check(&first, report);
	EXPECT_EQUAL(report, client_open(&second), STATUS_SUCCESS);
	EXPECT_EQUAL(report, lock(&second, WPERF_LOCK_GET, &status), STATUS_SUCCESS);
	EXPECT_EQUAL(report, status, WPERF_LOCK_BUSY);
	start(report, &first);
	EXPECT_EQUAL(report, begin_waiting(&first), STATUS_PENDING);
	EXPECT_EQUAL(report, lock(&second, WPERF_LOCK_GET_FORCE, &status), STATUS_SUCCESS);
	EXPECT_EQUAL(report, status, WPERF_LOCK_ACQUIRED);
	EXPECT_EQUAL(report, client_end(&waiting), STATUS_INVALID_DEVICE_STATE);
	EXPECT_EQUAL(report, client_control_all(&first, WPERF_PMU_CTL_START),
		     STATUS_INVALID_DEVICE_STATE);
	EXPECT_EQUAL(report, client_control_all(&second, WPERF_PMU_CTL_START), STATUS_SUCCESS);
	client_close(&second);
	client_close(&first);
	client_unload_driver();
}

struct registers {
	KEVENT read;
	uint64_t enabled, interrupts;
};

static void NTAPI read_registers(KDPC *dpc, void *context, void *unused1, void *unused2)
{
	struct registers *registers = context;
	registers->enabled = SYSREG_READ(pmcntenset_el0);
	registers->interrupts = SYSREG_READ(pmintenset_el1);
	thread_set_event(&registers->read);
}

// A client is killed while it samples everything: all is as it was before it came.
void check_close_while_sampling(struct report *report)
{
	struct client client;
	client_begin_check(&client, report);
	start(report, &client);
	checks_increment_everywhere(100 * INTERVAL);
	client_close(&client);
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++) {
		struct registers registers;
		KDPC dpc;
		thread_init_event(&registers.read, NotificationEvent, false);
		dpc_init(&dpc, read_registers, &registers);
		dpc_target(&dpc, i);
		dpc_queue(&dpc, NULL, NULL);
		thread_wait(&registers.read.Header, NULL);
		EXPECT_EQUAL(report, registers.enabled, UINT64_C(1) << 31);
		EXPECT_EQUAL(report, registers.interrupts, 0);
	}
	client_unload_driver();
}
