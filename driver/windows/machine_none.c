// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/machine.h"

// Nothing but the first is ever called.

NTSTATUS machine_probe(void)
{
	return STATUS_NOT_SUPPORTED;
}

NTSTATUS machine_create(struct machine **ret)
{
	return STATUS_NOT_SUPPORTED;
}

void machine_destroy(struct machine *machine)
{
}

enum driver_status machine_request(struct machine *machine, driver_client client, uint32_t code,
				   const void *in, size_t in_size, void *out, size_t out_size,
				   size_t *ret_size)
{
	*ret_size = 0;
	return DRIVER_NOT_SUPPORTED;
}

void machine_close(struct machine *machine, driver_client client)
{
}

void machine_suspend(struct machine *machine)
{
}

void machine_resume(struct machine *machine)
{
}

driver_client machine_owner(const struct machine *machine)
{
	return DRIVER_CLIENT_NONE;
}
