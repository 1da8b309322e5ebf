// SPDX-License-Identifier: Apache-2.0

#include "source/driver/driver_client.h"

#include "base/container/array.h"
#include "base/reader.h"
#include "base/text/string_builder.h"
#include "catalog/midr.h"
#include "driver/core/spe/spe.h"
#include "driver/include/wperf_driver.h"

#include <assert.h>
#include <string.h>

// Requests are IOCTLs of WindowsPerf's driver, with the structures of
// driver/include/wperf_driver.h. Most answers have exactly the expected size (send_exact()). Two
// structures have grown between releases: send_growing() offers more room than needed, takes what
// it knows, and accepts the size of the older release (@old_size). driver_client_describe_events()
// walks a list of headers and codes with a bounds-checked reader. Messages are those of
// WindowsPerf, letter by letter.

enum {
	WIN32_ERROR_NO_SYSTEM_RESOURCES = 1450,
	WIN32_ERROR_BAD_COMMAND = 22, // what a request gets that is not the owner's
	SUPPORTED_EVENTS_SIZE = 4096, // what clients offer
	GROWN_STRUCT_SIZE = 1024,     // of any release
};

/** A request with its name for messages; @out must be filled to the last byte. */
struct call {
	uint32_t code;
	const char *name;
	const void *in;
	size_t in_size;
	void *out;
	size_t out_size;
};

struct error *driver_client_failure(const char *name, uint32_t win32_error)
{
	if (win32_error == WIN32_ERROR_BAD_COMMAND)
		return error_create(ERROR_FAILED,
				    "warning: other WindowsPerf process hijacked (forced lock) the "
				    "wperf-driver, see --force-lock.\n"
				    "Operation terminated, your data was lost!");
	struct error *err =
		error_create(ERROR_FAILED,
			     "error: DeviceIoControl failed: GetLastError=0x%04x\n%s failed",
			     win32_error, name);
	if (win32_error != WIN32_ERROR_NO_SYSTEM_RESOURCES)
		return err;
	return error_with_hint(err, "the driver has no free counter: close other profilers, and "
				    "virtual machines that count");
}

static struct error *driver_client_pass_on(const struct driver_transport *transport,
					   const struct call *call, size_t *ret_size)
{
	uint32_t win32_error =
		transport->request(transport->context, call->code, call->in, call->in_size,
				   call->out, call->out_size, ret_size);
	return win32_error ? driver_client_failure(call->name, win32_error) : NULL;
}

static struct error *wrong_size(const struct call *call, size_t size)
{
	return error_with_hint(error_create(ERROR_FAILED, "%s returned %zu bytes instead of %zu",
					    call->name, size, call->out_size),
			       "wperf does not know this version of the driver");
}

static struct error *send_exact(const struct driver_transport *transport, const struct call *call)
{
	size_t size = 0;
	struct error *err = driver_client_pass_on(transport, call, &size);
	return err || size == call->out_size ? err : wrong_size(call, size);
}

/**
 * Structs may grow at their end: newer drivers answer more, which we leave out, and older ones end
 * after @old_size bytes, and the rest is zero.
 */
static struct error *send_growing(const struct driver_transport *transport, const struct call *call,
				  size_t old_size)
{
	uint8_t answer[GROWN_STRUCT_SIZE] = {0};
	struct call larger = *call;
	larger.out = answer;
	larger.out_size = sizeof(answer);
	size_t size = 0;
	struct error *err = driver_client_pass_on(transport, &larger, &size);
	if (err)
		return err;
	if (size > sizeof(answer) || (size < call->out_size && size != old_size))
		return wrong_size(call, size);
	// What the driver wrote behind the size it returned is not an answer.
	memset(answer + size, 0, sizeof(answer) - size);
	memcpy(call->out, answer, call->out_size);
	return NULL;
}

static struct error *lock_refused(uint32_t status)
{
	switch (status) {
	case WPERF_LOCK_BUSY:
		return error_create(
			ERROR_FAILED,
			"warning: other WindowsPerf process acquired the wperf-driver.\n"
			"note: use --force-lock to force driver to give lock to current `wperf` "
			"process.\n"
			"Operation cancelled!");
	case WPERF_LOCK_INSUFFICIENT_RESOURCES:
		return error_create(ERROR_FAILED,
				    "warning: not enough resources available to execute the "
				    "request.\nOperation cancelled!");
	default:
		return error_create(ERROR_FAILED,
				    "warning: unknown lock error.\nOperation cancelled!");
	}
}

struct error *driver_client_send(const struct driver_transport *transport, uint32_t code,
				 const char *name, const void *in, size_t in_size, void *out,
				 size_t out_size)
{
	struct call call = {code, name, in, in_size, out, out_size};
	return send_exact(transport, &call);
}

struct error *driver_client_ask(const struct driver_transport *transport, uint32_t code,
				const char *name, const void *in, size_t in_size, void *out,
				size_t out_size, size_t *ret_size)
{
	struct call call = {code, name, in, in_size, out, out_size};
	size_t size = 0;
	struct error *err = driver_client_pass_on(transport, &call, &size);
	if (!err && size > out_size)
		err = error_create(ERROR_FAILED, "%s returned %zu bytes for %zu", name, size,
				   out_size);
	if (!err)
		*ret_size = size;
	return err;
}

struct error *driver_client_lock(const struct driver_transport *transport, bool force)
{
	struct wperf_lock_request request = {.flag = force ? WPERF_LOCK_GET_FORCE : WPERF_LOCK_GET};
	struct wperf_lock_reply reply = {0};
	size_t size = 0;
	// Not by driver_client_send(): ERROR_BAD_COMMAND means something else here, and the texts
	// are WindowsPerf's.
	uint32_t win32_error =
		transport->request(transport->context, WPERF_PMU_CTL_LOCK_ACQUIRE, &request,
				   sizeof(request), &reply, sizeof(reply), &size);
	if (win32_error == WIN32_ERROR_BAD_COMMAND)
		return error_create(
			ERROR_FAILED,
			"warning: other WindowsPerf process hijacked the wperf-driver, see "
			"--force-lock.\n"
			"Operation terminated, your data was lost!");
	if (win32_error || size != sizeof(reply))
		return lock_refused(WPERF_LOCK_UNKNOWN_ERROR);
	return reply.status == WPERF_LOCK_ACQUIRED ? NULL : lock_refused(reply.status);
}

void driver_client_unlock(const struct driver_transport *transport)
{
	struct wperf_lock_request request = {.flag = WPERF_LOCK_RELEASE};
	struct wperf_lock_reply reply;
	size_t size;
	transport->request(transport->context, WPERF_PMU_CTL_LOCK_RELEASE, &request,
			   sizeof(request), &reply, sizeof(reply), &size);
}

/** Texts of the driver are ASCII in UTF-16; what is not is shown as '?'. */
static struct error *ascii_of(const uint16_t *units, size_t max_units, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	for (size_t i = 0; i < max_units && units[i]; i++)
		string_builder_append_char(
			&text, units[i] >= 0x20 && units[i] < 0x7f ? (char)units[i] : '?');
	return string_builder_finish(&text, ret);
}

struct error *driver_client_hardware(const struct driver_transport *transport,
				     struct wperf_hw_cfg *ret)
{
	uint32_t action = 0;
	struct wperf_hw_cfg cfg = {.core_num = 0};
	struct call call = {
		.code = WPERF_PMU_CTL_QUERY_HW_CFG,
		.name = "PMU_CTL_QUERY_HW_CFG",
		.in = &action,
		.in_size = sizeof(action),
		.out = &cfg,
		.out_size = sizeof(cfg),
	};
	// Before SPE there were no registers of it.
	struct error *err =
		send_growing(transport, &call, offsetof(struct wperf_hw_cfg, pmbidr_el1_value));
	if (err)
		return err;
	// Arrays of the contract have so many places: a larger number would be read behind them.
	if (cfg.core_num > WPERF_MAX_CORES)
		return error_create(ERROR_FAILED,
				    "PMU_CTL_QUERY_HW_CFG returned invalid data: %u cores",
				    cfg.core_num);
	*ret = cfg;
	return NULL;
}

static struct error *describe_hardware(const struct driver_transport *transport,
				       struct source_info *info)
{
	struct wperf_hw_cfg cfg;
	struct error *err = driver_client_hardware(transport, &cfg);
	if (err)
		return err;
	info->num_cores = cfg.core_num;
	info->counters_known = true;
	info->counters.free[EVENT_CORE] = cfg.gpc_num;
	info->counters.total[EVENT_CORE] = cfg.total_gpc_num;
	info->fixed_counters[EVENT_CORE] = cfg.fpc_num;
	// The fixed cycle counter takes one of the driver's places.
	info->max_events[EVENT_CORE] = WPERF_MAX_CORE_EVENTS - 1;
	info->has_registers = true;
	info->registers = (struct pmu_registers){
		.midr = cfg.midr_value,
		.id_aa64dfr0 = cfg.id_aa64dfr0_value,
		.pmbidr = cfg.pmbidr_el1_value,
		.pmsidr = cfg.pmsidr_el1_value,
		.pmu_version = cfg.pmu_ver,
	};
	static_assert(sizeof(cfg.counter_idx_map) == COUNTER_INDEX_MAP_SIZE, "one map");
	memcpy(info->registers.counter_index_map, cfg.counter_idx_map, COUNTER_INDEX_MAP_SIZE);
	info->vendor_name = strdup(midr_vendor_name(cfg.vendor_id));
	if (!info->vendor_name)
		return &error_no_memory;
	return ascii_of(cfg.device_id_str, WPERF_DEVICE_ID_SIZE, &info->device_id);
}

static struct error *describe_version(const struct driver_transport *transport,
				      struct source_info *info)
{
	struct wperf_version ours = {.major = 3, .minor = 8, .patch = 0}, driver;
	struct call call = {
		.code = WPERF_PMU_CTL_QUERY_VERSION,
		.name = "PMU_CTL_QUERY_VERSION",
		.in = &ours,
		.in_size = sizeof(ours),
		.out = &driver,
		.out_size = sizeof(driver),
	};
	// The first ones named no features.
	struct error *err =
		send_growing(transport, &call, offsetof(struct wperf_version, featurestring));
	if (err)
		return err;
	info->is_driver = true;
	info->version.major = driver.major;
	info->version.minor = driver.minor;
	info->version.patch = driver.patch;
	err = ascii_of(driver.gitver, WPERF_GIT_VERSION_SIZE, &info->version.git);
	if (!err)
		err = ascii_of(driver.featurestring, WPERF_FEATURE_STRING_SIZE,
			       &info->version.features);
	// ID_AA64DFR0_EL1.PMSVer: 0 without SPE.
	if (!err)
		info->has_spe = info->device_id && strstr(info->version.features, "+spe") &&
				(info->registers.id_aa64dfr0 >> 32 & 0xf) != 0;
	info->spe_filters = (struct spe_filter_table){
		.filters = spe_driver_filters,
		.num_filters = spe_num_driver_filters,
		.min_period = driver_spe_min_interval(info->registers.pmsidr),
	};
	return err;
}

/** One class of the answer: a header, and numbers right behind it. */
static struct error *read_codes(struct reader *reader, struct source_info *info)
{
	uint32_t event_class = reader_u32(reader);
	uint16_t num = reader_u16(reader);
	reader_skip(reader, sizeof(struct wperf_event_header) - sizeof(event_class) - sizeof(num));
	struct reader numbers = reader_sub(reader, num * sizeof(uint16_t));
	if (reader->failed || event_class >= NUM_PMU_CLASSES || info->codes[event_class])
		return error_create(ERROR_FAILED,
				    "PMU_CTL_QUERY_SUPP_EVENTS returned invalid data");
	info->codes[event_class] = calloc(num ? num : 1, sizeof(uint16_t));
	if (!info->codes[event_class])
		return &error_no_memory;
	for (size_t i = 0; i < num; i++)
		info->codes[event_class][i] = reader_u16(&numbers);
	info->num_codes[event_class] = num;
	return NULL;
}

static struct error *driver_client_describe_events(const struct driver_transport *transport,
						   struct source_info *info)
{
	// An answer of any length: as many classes as the machine has, read until its end.
	uint32_t action = 0;
	uint8_t answer[SUPPORTED_EVENTS_SIZE];
	struct call call = {
		.code = WPERF_PMU_CTL_QUERY_SUPP_EVENTS,
		.name = "PMU_CTL_QUERY_SUPP_EVENTS",
		.in = &action,
		.in_size = sizeof(action),
		.out = answer,
		.out_size = sizeof(answer),
	};
	size_t size = 0;
	struct error *err = driver_client_pass_on(transport, &call, &size);
	struct reader reader = reader_create(answer, size < sizeof(answer) ? size : sizeof(answer));
	while (!err && reader_left(&reader))
		err = read_codes(&reader, info);
	return err;
}

static struct error *describe_dsu(const struct driver_transport *transport,
				  const struct driver_topology *topology, struct source_info *info)
{
	struct wperf_dsu_topology request = {
		.cluster_num = (uint16_t)topology->dsu_clusters,
		.cluster_size = (uint16_t)topology->dsu_cluster_size,
	};
	struct wperf_dsu_cfg cfg;
	struct call call = {
		.code = WPERF_DSU_CTL_INIT,
		.name = "DSU_CTL_INIT",
		.in = &request,
		.in_size = sizeof(request),
		.out = &cfg,
		.out_size = sizeof(cfg),
	};
	struct error *err = send_exact(transport, &call);
	if (err)
		return err;
	info->counters.free[EVENT_DSU] = cfg.gpc_num;
	info->counters.total[EVENT_DSU] = cfg.gpc_num;
	info->fixed_counters[EVENT_DSU] = cfg.fpc_num;
	info->max_events[EVENT_DSU] = WPERF_MAX_DSU_EVENTS - 1;
	info->cluster_size = topology->dsu_cluster_size;
	return NULL;
}

static struct error *describe_dmc(const struct driver_transport *transport,
				  const struct driver_topology *topology, struct source_info *info)
{
	// Number and addresses of the channels, for a driver that maps their registers.
	struct {
		struct wperf_dmc_channels channels;
		struct wperf_dmc_range ranges[UINT8_MAX];
	} request = {.channels.num = (uint8_t)topology->dmc_channels};
	memcpy(request.ranges, topology->dmc_ranges, sizeof(topology->dmc_ranges));
	struct wperf_dmc_cfg cfg;
	struct call call = {
		.code = WPERF_DMC_CTL_INIT,
		.name = "DMC_CTL_INIT",
		.in = &request,
		.in_size = sizeof(request.channels) +
			   topology->dmc_channels * sizeof(request.ranges[0]),
		.out = &cfg,
		.out_size = sizeof(cfg),
	};
	struct error *err = send_exact(transport, &call);
	if (err)
		return err;
	info->counters.free[EVENT_DMC_CLK] = cfg.clk_gpc_num;
	info->counters.total[EVENT_DMC_CLK] = cfg.clk_gpc_num;
	info->fixed_counters[EVENT_DMC_CLK] = cfg.clk_fpc_num;
	info->max_events[EVENT_DMC_CLK] = WPERF_MAX_DMC_CLK_EVENTS;
	info->counters.free[EVENT_DMC_CLKDIV2] = cfg.clkdiv2_gpc_num;
	info->counters.total[EVENT_DMC_CLKDIV2] = cfg.clkdiv2_gpc_num;
	info->fixed_counters[EVENT_DMC_CLKDIV2] = cfg.clkdiv2_fpc_num;
	info->max_events[EVENT_DMC_CLKDIV2] = WPERF_MAX_DMC_CLKDIV2_EVENTS;
	return NULL;
}

struct error *driver_client_describe(const struct driver_transport *transport,
				     const struct driver_topology *topology,
				     struct source_info *ret)
{
	struct error *err = describe_hardware(transport, ret);
	if (!err)
		err = describe_version(transport, ret);
	if (!err)
		err = driver_client_describe_events(transport, ret);
	if (!err && topology->dsu_clusters)
		err = describe_dsu(transport, topology, ret);
	if (!err && topology->dmc_channels)
		err = describe_dmc(transport, topology, ret);
	return err;
}

uint64_t driver_client_filter(const struct event_request *request, bool kernel)
{
	switch (request->modifiers) {
	case EVENT_USER:
		return WPERF_FILTER_EXCLUDE_EL1;
	case EVENT_KERNEL:
		return WPERF_FILTER_EXCLUDE_EL0;
	case EVENT_USER | EVENT_KERNEL:
		return 0;
	default:
		return kernel ? 0 : WPERF_FILTER_EXCLUDE_EL1;
	}
}
