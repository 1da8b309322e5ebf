// SPDX-License-Identifier: Apache-2.0

#include "tests/mini_nt/checks/client.h"

#include "tests/mini_nt/kernel/thread.h"

#include <string.h>

static DRIVER_OBJECT driver;
static DRIVER_EXTENSION extension;
static DEVICE_OBJECT *control_device;

NTSTATUS client_load_driver(void)
{
	unsigned num;
	const struct image_export *exports = exports_all(&num);
	UNICODE_STRING path = {0, 0, NULL};
	memset(&driver, 0, sizeof(driver));
	memset(&extension, 0, sizeof(extension));
	driver.DriverExtension = &extension;
	NTSTATUS status = image_load(exports, num)(&driver, &path);
	control_device = driver.DeviceObject;
	return status;
}

void client_unload_driver(void)
{
	driver.DriverUnload(&driver);
	image_unload();
}

static NTSTATUS client_send(DEVICE_OBJECT *device, IRP *irp)
{
	unsigned major = irp->Tail.Overlay.CurrentStackLocation->MajorFunction;
	KIRQL irql = cpu_this()->irql;
	irp->Tail.Overlay.CurrentStackLocation->DeviceObject = device;
	NTSTATUS status = driver.MajorFunction[major](device, irp);
	if (cpu_this()->irql != irql)
		cpu_fault("a request left the IRQL at", cpu_this()->irql);
	return status;
}

static IO_STACK_LOCATION *client_prepare(struct request *request, UCHAR major, FILE_OBJECT *file)
{
	const unsigned num = sizeof(request->locations) / sizeof(request->locations[0]);
	memset(&request->irp, 0, sizeof(request->irp));
	memset(request->locations, 0, sizeof(request->locations));
	thread_init_event(&request->done, NotificationEvent, false);
	request->irp.StackCount = (CCHAR)num;
	request->irp.CurrentLocation = (CCHAR)num;
	request->irp.UserEvent = &request->done;
	request->irp.AssociatedIrp.SystemBuffer = request->buffer;
	request->irp.IoStatus.Status = STATUS_NOT_SUPPORTED;
	IO_STACK_LOCATION *location = &request->locations[num - 1];
	request->irp.Tail.Overlay.CurrentStackLocation = location;
	location->MajorFunction = major;
	location->FileObject = file;
	return location;
}

NTSTATUS client_end(struct request *request)
{
	thread_wait(&request->done.Header, NULL);
	return request->irp.IoStatus.Status;
}

// Another one for each CPU that may ask at once: they are too large for a stack.
static struct request *client_request(void)
{
	static struct request requests[LAYOUT_NUM_CPUS];
	return &requests[cpu_this()->index];
}

static NTSTATUS client_call(DEVICE_OBJECT *device, UCHAR major, UCHAR minor, FILE_OBJECT *file)
{
	struct request *request = client_request();
	client_prepare(request, major, file)->MinorFunction = minor;
	client_send(device, &request->irp);
	return client_end(request);
}

NTSTATUS client_add_device(void)
{
	NTSTATUS status = extension.AddDevice(&driver, exports_bus_device());
	if (NT_SUCCESS(status))
		status = client_call(driver.DeviceObject, IRP_MJ_PNP, IRP_MN_START_DEVICE, NULL);
	return status;
}

void client_remove_device(void)
{
	client_call(driver.DeviceObject, IRP_MJ_PNP, IRP_MN_REMOVE_DEVICE, NULL);
}

NTSTATUS client_set_system_power(SYSTEM_POWER_STATE state)
{
	struct request *request = client_request();
	IO_STACK_LOCATION *location = client_prepare(request, IRP_MJ_POWER, NULL);
	location->MinorFunction = IRP_MN_SET_POWER;
	location->Parameters.Power.Type = SystemPowerState;
	location->Parameters.Power.State.SystemState = state;
	client_send(driver.DeviceObject, &request->irp);
	return client_end(request);
}

NTSTATUS client_open(struct client *client)
{
	memset(client, 0, sizeof(*client));
	return client_call(control_device, IRP_MJ_CREATE, 0, &client->file);
}

void client_close(struct client *client)
{
	client_call(control_device, IRP_MJ_CLEANUP, 0, &client->file);
	client_call(control_device, IRP_MJ_CLOSE, 0, &client->file);
}

NTSTATUS client_begin(struct client *client, struct request *request, uint32_t code, const void *in,
		      size_t in_size, size_t out_size)
{
	IO_STACK_LOCATION *location = client_prepare(request, IRP_MJ_DEVICE_CONTROL, &client->file);
	location->Parameters.DeviceIoControl.IoControlCode = code;
	location->Parameters.DeviceIoControl.InputBufferLength = (ULONG)in_size;
	location->Parameters.DeviceIoControl.OutputBufferLength = (ULONG)out_size;
	memcpy(request->buffer, in, in_size);
	return client_send(control_device, &request->irp);
}

NTSTATUS client_ask(struct client *client, uint32_t code, const void *in, size_t in_size, void *out,
		    size_t out_size)
{
	struct request *request = client_request();
	client_begin(client, request, code, in, in_size, out_size);
	NTSTATUS status = client_end(request);
	if (NT_SUCCESS(status) && request->irp.IoStatus.Information != out_size)
		return STATUS_INFO_LENGTH_MISMATCH;
	if (NT_SUCCESS(status) && out_size)
		memcpy(out, request->buffer, out_size);
	return status;
}

NTSTATUS client_open_locked(struct client *client)
{
	struct wperf_lock_request lock = {WPERF_LOCK_GET};
	struct wperf_lock_reply reply = {0};
	NTSTATUS status = client_open(client);
	if (NT_SUCCESS(status))
		status = client_ask(client, WPERF_PMU_CTL_LOCK_ACQUIRE, &lock, sizeof(lock), &reply,
				    sizeof(reply));
	return NT_SUCCESS(status) && reply.status != WPERF_LOCK_ACQUIRED ? STATUS_DEVICE_BUSY
									 : status;
}

void client_begin_check(struct client *client, struct report *report)
{
	EXPECT_EQUAL(report, client_load_driver(), STATUS_SUCCESS);
	EXPECT_EQUAL(report, client_open_locked(client), STATUS_SUCCESS);
}

void client_end_check(struct client *client)
{
	client_close(client);
	client_unload_driver();
}

struct wperf_control client_control(int cpu)
{
	struct wperf_control control = {
		.cores_count = 1, .period = 10, .flags = WPERF_CONTROL_CORE};
	if (cpu != CLIENT_ALL_CPUS) {
		control.cores_no[0] = (uint8_t)cpu;
		return control;
	}
	control.cores_count = LAYOUT_NUM_CPUS;
	for (unsigned i = 0; i < LAYOUT_NUM_CPUS; i++)
		control.cores_no[i] = (uint8_t)i;
	return control;
}

NTSTATUS client_assign(struct client *client, uint16_t event, uint64_t filter)
{
	struct {
		struct wperf_event_assign head;
		struct wperf_event_header header;
		uint16_t events[4]; // of which one counts; no padding behind them
	} assign = {
		.head = {.core_idx = WPERF_ALL_CORES, .filter_bits = filter},
		.header = {.event_class = WPERF_CLASS_CORE, .num = 1},
		.events = {event},
	};
	return client_ask(client, WPERF_PMU_CTL_ASSIGN_EVENTS, &assign,
			  sizeof(assign) - 3 * sizeof(event), NULL, 0);
}

NTSTATUS client_control_all(struct client *client, uint32_t code)
{
	struct wperf_control control = client_control(CLIENT_ALL_CPUS);
	return client_ask(client, code, &control, sizeof(control), NULL, 0);
}

struct client_count client_count_of(struct client *client, unsigned cpu)
{
	static struct wperf_core_counts counts; // too large for a stack
	struct wperf_control control = client_control((int)cpu);
	memset(&counts, 0, sizeof(counts));
	client_ask(client, WPERF_PMU_CTL_READ_COUNTING, &control, sizeof(control), &counts,
		   sizeof(counts));
	return (struct client_count){counts.evts[1].value, counts.evts[1].scheduled, counts.round};
}

struct wperf_losses client_losses(struct client *client)
{
	struct wperf_losses losses = {UINT64_MAX, UINT64_MAX, UINT64_MAX};
	uint32_t any = 0;
	client_ask(client, WPERF_LOSSES_CTL_QUERY, &any, sizeof(any), &losses, sizeof(losses));
	return losses;
}

NTSTATUS client_start_sampling(struct client *client, int cpu, uint32_t event, uint32_t interval,
			       uint32_t filter)
{
	struct wperf_ring_start start = {.control = client_control(cpu), .max_callers = 16};
	NTSTATUS status = STATUS_SUCCESS;
	for (uint64_t i = 0; NT_SUCCESS(status) && i < start.control.cores_count; i++) {
		struct {
			struct wperf_sample_source head;
			struct wperf_sample_event event;
		} source = {{start.control.cores_no[i]}, {event, interval, filter}};
		status = client_ask(client, WPERF_PMU_CTL_SAMPLE_SET_SRC, &source, sizeof(source),
				    NULL, 0);
	}
	if (NT_SUCCESS(status))
		status = client_ask(client, WPERF_RING_CTL_START, &start, sizeof(start), NULL, 0);
	return status;
}

struct wperf_sample_summary client_stop_sampling(struct client *client, int cpu)
{
	struct wperf_control control = client_control(cpu);
	struct wperf_sample_summary summary = {UINT64_MAX, UINT64_MAX};
	client_ask(client, WPERF_RING_CTL_STOP, &control, sizeof(control), &summary,
		   sizeof(summary));
	return summary;
}

void client_read_ring(struct client *client, unsigned cpu,
		      void (*take)(void *context, const struct wperf_ring_sample *sample,
				   const uint64_t *callers),
		      void *context)
{
	struct request *request = client_request();
	struct wperf_ring_read read = {cpu};
	struct wperf_ring_answer answer;
	do {
		client_begin(client, request, WPERF_RING_CTL_READ, &read, sizeof(read),
			     sizeof(request->buffer));
		if (!NT_SUCCESS(client_end(request)))
			return;
		memcpy(&answer, request->buffer, sizeof(answer));
		for (uint32_t at = 0; at < answer.size;) {
			const struct wperf_ring_sample *sample =
				(const void *)(request->buffer + sizeof(answer) + at);
			take(context, sample, (const uint64_t *)(sample + 1));
			at += sample->size;
		}
	} while (answer.left > 0);
}
