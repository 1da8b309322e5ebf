// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/pmi.h"

typedef void pmi_handler_fn(const struct trap_frame *frame);

// The handler finds its context here, for want of another way.
static struct {
	pmi_fn *function;
	void *context;
} user;

static void pmi_handle(const struct trap_frame *frame)
{
	user.function(user.context, KeGetCurrentProcessorNumberEx(NULL), frame);
}

static NTSTATUS set_handler(pmi_handler_fn *handler)
{
	return HalSetSystemInformation(HalProfileSourceInterruptHandler, sizeof(handler), &handler);
}

NTSTATUS pmi_hook(pmi_fn *function, void *context)
{
	PAGED_CODE();
	user.function = function;
	user.context = context;
	return set_handler(pmi_handle);
}

void pmi_unhook(void)
{
	PAGED_CODE();
	set_handler(NULL);
}
