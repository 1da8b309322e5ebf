// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/server.h"

// The machine is created with the first handle and destroyed with the last. One mutex is held
// during a whole request: requests wait for DPCs on other CPUs, so it must be a lock that leaves
// the IRQL below DISPATCH_LEVEL.

// In a critical region a thread cannot be suspended by a user, who thereby could lock out all
// others. Not ExAcquireFastMutex(), which is no PASSIVE_LEVEL any more.
static void server_lock(struct server *server)
{
	KeEnterCriticalRegion();
	ExAcquireFastMutexUnsafe(&server->mutex);
}

static void server_unlock(struct server *server)
{
	ExReleaseFastMutexUnsafe(&server->mutex);
	KeLeaveCriticalRegion();
}

void server_init(struct server *server)
{
	PAGED_CODE();
	RtlZeroMemory(server, sizeof(*server));
	ExInitializeFastMutex(&server->mutex);
	event_log_init(&server->log);
}

void server_deinit(struct server *server)
{
	PAGED_CODE();
	if (server->machine)
		machine_destroy(server->machine);
	server->machine = NULL;
	event_log_deinit(&server->log);
}

NTSTATUS server_open(struct server *server)
{
	PAGED_CODE();
	NTSTATUS status = STATUS_SUCCESS;
	server_lock(server);
	if (!server->machine)
		status = machine_create(&server->machine);
	if (NT_SUCCESS(status))
		server->num_open++;
	server_unlock(server);
	return status;
}

static void server_give_up(struct server *server, driver_client client)
{
	bool held = machine_owner(server->machine) == client;
	machine_close(server->machine, client);
	if (held)
		event_log_write(&server->log, EVENT_LOCK_FREED);
}

void server_cleanup(struct server *server, driver_client client)
{
	PAGED_CODE();
	server_lock(server);
	server_give_up(server, client);
	server_unlock(server);
}

void server_close(struct server *server, driver_client client)
{
	PAGED_CODE();
	server_lock(server);
	// A request that was under way during the cleanup may have taken the lock after it.
	server_give_up(server, client);
	if (--server->num_open == 0) {
		machine_destroy(server->machine);
		server->machine = NULL;
	}
	server_unlock(server);
}

void server_suspend(struct server *server)
{
	PAGED_CODE();
	server_lock(server);
	if (server->machine)
		machine_suspend(server->machine);
	server_unlock(server);
}

void server_resume(struct server *server)
{
	PAGED_CODE();
	server_lock(server);
	if (server->machine)
		machine_resume(server->machine);
	server_unlock(server);
}

static void log_owner(struct server *server, driver_client before, driver_client after)
{
	if (before == after)
		return;
	if (after == DRIVER_CLIENT_NONE)
		event_log_write(&server->log, EVENT_LOCK_FREED);
	else if (before == DRIVER_CLIENT_NONE)
		event_log_write(&server->log, EVENT_LOCK_TAKEN);
	else
		event_log_write(&server->log, EVENT_LOCK_ROBBED);
}

enum driver_status server_request(struct server *server, driver_client client, uint32_t code,
				  const void *in, size_t in_size, void *out, size_t out_size,
				  size_t *ret_size)
{
	PAGED_CODE();
	server_lock(server);
	driver_client before = machine_owner(server->machine);
	enum driver_status status = machine_request(server->machine, client, code, in, in_size, out,
						    out_size, ret_size);
	// By comparing: whatever request takes the lock or gives it back is seen.
	log_owner(server, before, machine_owner(server->machine));
	if (status == DRIVER_OK)
		event_log_write_request(&server->log, code);
	server_unlock(server);
	return status;
}
