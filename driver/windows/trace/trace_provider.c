// SPDX-License-Identifier: Apache-2.0

#include "driver/windows/trace/trace_provider.h"

typedef NTSTATUS(NTAPI *trace_register_fn)(const GUID *provider, void *callback, void *context,
					   REGHANDLE *ret);
typedef NTSTATUS(NTAPI *trace_set_fn)(REGHANDLE provider, ULONG what, void *information,
				      ULONG size);

enum { SET_TRAITS = 2 }; // EventProviderSetTraits of EVENT_INFO_CLASS

static void *find_routine(const wchar_t *name)
{
	UNICODE_STRING text;
	RtlInitUnicodeString(&text, name);
	return MmGetSystemRoutineAddress(&text);
}

void trace_provider_init(struct trace_provider *provider, const GUID *id, const void *traits,
			 USHORT traits_size)
{
	trace_register_fn reg = (trace_register_fn)find_routine(L"EtwRegister");
	provider->unregister = (trace_unregister_fn)find_routine(L"EtwUnregister");
	provider->is_enabled = (trace_enabled_fn)find_routine(L"EtwEventEnabled");
	provider->write = (trace_write_fn)find_routine(L"EtwWrite");
	provider->is_registered = reg && provider->unregister && provider->is_enabled &&
				  provider->write &&
				  NT_SUCCESS(reg(id, NULL, NULL, &provider->handle));
	if (!provider->is_registered || !traits)
		return;
	trace_set_fn set = (trace_set_fn)find_routine(L"EtwSetInformation");
	if (set)
		set(provider->handle, SET_TRAITS, (void *)traits, traits_size);
}

void trace_provider_deinit(struct trace_provider *provider)
{
	if (provider->is_registered)
		provider->unregister(provider->handle);
	provider->is_registered = false;
}

bool trace_provider_is_heard(const struct trace_provider *provider, const EVENT_DESCRIPTOR *event)
{
	return provider->is_registered && provider->is_enabled(provider->handle, event);
}

void trace_provider_write(const struct trace_provider *provider, const EVENT_DESCRIPTOR *event,
			  EVENT_DATA_DESCRIPTOR *data, ULONG num)
{
	provider->write(provider->handle, event, NULL, num, data);
}
