// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/pmi.h"

typedef void pmi_handler_fn(const struct trap_frame *frame);

// The HAL calls its handler with the interrupted registers alone. This pointer is what the handler
// gets instead of a context. It stays after pmi_unhook(): a handler may still run on another CPU.
static const struct pmi *hooked_pmi;

static void pmi_handle(const struct trap_frame *frame)
{
	hooked_pmi->function(hooked_pmi->context, KeGetCurrentProcessorNumberEx(NULL), frame);
}

static NTSTATUS set_handler(pmi_handler_fn *handler)
{
	return HalSetSystemInformation(HalProfileSourceInterruptHandler, sizeof(handler), &handler);
}

NTSTATUS pmi_hook(const struct pmi *pmi)
{
	PAGED_CODE();
	hooked_pmi = pmi;
	return set_handler(pmi_handle);
}

void pmi_unhook(void)
{
	PAGED_CODE();
	set_handler(NULL);
}
