// SPDX-License-Identifier: Apache-2.0

#include "base/os/trace_provider.h"

#include <windows.h>

#include <evntprov.h>
#include <string.h>

// "How to send a TraceLogging event to ETW" in TraceLoggingProvider.h: the first two descriptors
// are the metadata of the provider and of the event, and the channel is 11. Windows 10 and later
// take the types of the descriptors for what they are once EventSetInformation() was called.

enum {
	CHANNEL_TRACELOGGING = 11,
	SET_TRAITS = 2, // EventProviderSetTraits of EVENT_INFO_CLASS
	DATA_OF_EVENT = 1,
	DATA_OF_PROVIDER = 2,
	NUM_METADATA = 2,
};

void trace_provider_init(const struct trace_identity *identity, struct trace_provider *ret)
{
	*ret = (struct trace_provider){.identity = identity};
	GUID guid;
	_Static_assert(sizeof(guid) == sizeof(identity->guid), "a GUID");
	memcpy(&guid, identity->guid, sizeof(guid));
	REGHANDLE handle = 0;
	if (EventRegister(&guid, NULL, NULL, &handle) != ERROR_SUCCESS)
		return;
	ret->handle = handle;
	EventSetInformation(handle, SET_TRAITS, (void *)identity->traits, identity->traits_size);
}

void trace_provider_deinit(struct trace_provider *provider)
{
	if (provider->handle)
		EventUnregister(provider->handle);
	provider->handle = 0;
}

static EVENT_DESCRIPTOR trace_provider_descriptor(const struct trace_event *event)
{
	return (EVENT_DESCRIPTOR){
		.Id = event->id,
		.Channel = CHANNEL_TRACELOGGING,
		.Level = event->level,
		.Keyword = event->keyword,
	};
}

bool trace_provider_is_heard(const struct trace_provider *provider, const struct trace_event *event)
{
	EVENT_DESCRIPTOR descriptor = trace_provider_descriptor(event);
	return provider->handle && EventEnabled(provider->handle, &descriptor);
}

static EVENT_DATA_DESCRIPTOR trace_provider_data(const void *data, uint32_t size, ULONG type)
{
	return (EVENT_DATA_DESCRIPTOR){
		.Ptr = (ULONG_PTR)data,
		.Size = size,
		.Reserved = type,
	};
}

void trace_provider_write(const struct trace_provider *provider, const struct trace_event *event,
			  const struct trace_field *fields, unsigned num_fields)
{
	const struct trace_identity *identity = provider->identity;
	EVENT_DATA_DESCRIPTOR data[NUM_METADATA + TRACE_MAX_FIELDS];
	if (!provider->handle || num_fields > TRACE_MAX_FIELDS)
		return;
	data[0] = trace_provider_data(identity->traits, identity->traits_size, DATA_OF_PROVIDER);
	data[1] = trace_provider_data(event->metadata, event->metadata_size, DATA_OF_EVENT);
	for (unsigned i = 0; i < num_fields; i++)
		data[NUM_METADATA + i] = trace_provider_data(fields[i].data, fields[i].size, 0);
	EVENT_DESCRIPTOR descriptor = trace_provider_descriptor(event);
	EventWrite(provider->handle, &descriptor, NUM_METADATA + num_fields, data);
}
