// SPDX-License-Identifier: Apache-2.0

#include "source/driver/source_driver.h"

#include "base/text/string_builder.h"
#include "source/driver/driver_device.h"
#include "source/driver/driver_source.h"

#include <stdlib.h>
#include <string.h>

// The driver on Windows. open_driver() finds its device (driver_device_win.c), takes the lock, by
// which only one client uses the counters at a time, and asks for the ring, which WindowsPerf's own
// driver does not have. What the driver cannot know comes from the system: clusters and memory
// channels from ACPI (driver_topology_win.c), the MIDR of the other cores from the registry.
//
// Versions: this is the protocol of WindowsPerf 3.8.0 (driver/include/wperf_driver.h). A driver of
// another version is used with a note, as its structs only grow at their ends (send_growing() of
// driver_client.c).

enum { SPOKEN_MAJOR = 3, SPOKEN_MINOR = 8, SPOKEN_PATCH = 0 };

struct source_driver {
	struct driver_source driver;
	struct driver_device *device;
	unsigned said_clusters; /* 0: nothing was said */
	uint64_t *core_midr;
	struct wperf_ring_info ring; /* version 0: WindowsPerf's driver, which has none */
	char *version_note;          /* NULL: its version is the one that we speak */
	bool lacks_clusters, lacks_channels;
};

static const struct setting_rule settings[] = {
	{"device", SETTING_TEXT, 0, 0, "path of the driver's device, if wperf does not find it"},
	{"dsu", SETTING_NUMBER, 0, WPERF_MAX_CORES,
	 "number of clusters with a DSU, if the device tree lacks them"},
	{"dmc", SETTING_NUMBER, 0, DRIVER_TOPOLOGY_MAX_CHANNELS,
	 "number of memory channels, if the device tree lacks them"},
	{.key = NULL},
};

static struct source_driver *source_driver_driver_of(struct source *source)
{
	return (struct source_driver *)source;
}

static void close_driver(struct source *source)
{
	struct source_driver *driver = source_driver_driver_of(source);
	driver_source_deinit(&driver->driver);
	driver_device_destroy(driver->device);
	free(driver->core_midr);
	free(driver->version_note);
	free(driver);
}

/** What was said of clusters: the driver refuses it if it sees others. */
static struct error *believe_clusters(struct source_driver *driver)
{
	struct wperf_hw_cfg cfg;
	struct driver_topology *topology = &driver->driver.topology;
	if (!driver->said_clusters)
		return NULL;
	struct error *err = driver_client_hardware(&driver->driver.transport, &cfg);
	if (err)
		return err;
	if (cfg.core_num % driver->said_clusters)
		return error_create(ERROR_USAGE, "%u clusters cannot share %u cores evenly",
				    driver->said_clusters, cfg.core_num);
	topology->dsu_clusters = driver->said_clusters;
	topology->dsu_cluster_size = cfg.core_num / driver->said_clusters;
	return NULL;
}

static struct error *open_driver(const struct source_settings *said, bool force_lock,
				 struct source **ret)
{
	_cleanup_(source_closep) struct source *source = calloc(1, sizeof(struct source_driver));
	if (!source)
		return &error_no_memory;
	source->ops = &source_driver_ops;
	struct source_driver *driver = source_driver_driver_of(source);
	struct driver_topology *topology = &driver->driver.topology;
	struct error *err =
		driver_device_open(source_settings_text(said, "device", NULL), &driver->device);
	if (!err)
		err = driver_device_find_topology(topology);
	if (err)
		return err;
	driver->driver.transport = driver_device_transport(driver->device);
	driver->said_clusters = (unsigned)source_settings_number(said, "dsu", 0);
	// What the user says goes over what the device tree says; clusters need the number of cores
	// first (believe_clusters()).
	topology->dmc_channels =
		(unsigned)source_settings_number(said, "dmc", topology->dmc_channels);
	err = driver_client_lock(&driver->driver.transport, force_lock);
	if (!err)
		err = ring_client_ask(&driver->driver.transport, &driver->ring);
	if (err)
		return err;
	*ret = take_ptr(source);
	return NULL;
}

/** The driver tells the MIDR of one core only, the system perhaps those of all. */
static struct error *source_driver_describe_cores(struct source_driver *driver,
						  struct source_info *info)
{
	struct spe_client_machine *machine = &driver->driver.machine;
	info->core_midr = calloc(info->num_cores ? info->num_cores : 1, sizeof(uint64_t));
	free(driver->core_midr);
	driver->core_midr = calloc(info->num_cores ? info->num_cores : 1, sizeof(uint64_t));
	if (!info->core_midr || !driver->core_midr)
		return &error_no_memory;
	for (unsigned core = 0; core < info->num_cores; core++) {
		info->core_midr[core] = info->registers.midr;
		// Where the registry has none, the driver's MIDR stays.
		driver_device_core_midr(core, &info->core_midr[core]);
		driver->core_midr[core] = info->core_midr[core];
	}
	machine->num_cores = info->num_cores;
	machine->core_midr = driver->core_midr;
	return NULL;
}

static struct error *describe_in_words(const struct source_driver *driver, struct source_info *info)
{
	const struct component_version *version = &info->version;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text, "driver %u.%u.%u, %u core%s", version->major, version->minor,
			       version->patch, info->num_cores, info->num_cores == 1 ? "" : "s");
	string_builder_append(&text, driver->ring.version ? ", with rings of samples"
							  : ", 128 samples at a time");
	return string_builder_finish(&text, &info->description);
}

/** Sizes of answers are checked one by one; that is all we know of another release. */
static struct error *compare_version(struct source_driver *driver, const struct source_info *info)
{
	const struct component_version *version = &info->version;
	if (driver->version_note ||
	    (version->major == SPOKEN_MAJOR && version->minor == SPOKEN_MINOR &&
	     version->patch == SPOKEN_PATCH))
		return NULL;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_appendf(&text,
			       "the driver has version %u.%u.%u, wperf was made for %d.%d.%d; its "
			       "replies have the right sizes",
			       version->major, version->minor, version->patch, SPOKEN_MAJOR,
			       SPOKEN_MINOR, SPOKEN_PATCH);
	return string_builder_finish(&text, &driver->version_note);
}

static struct error *list_events(struct source *source, struct catalog *catalog,
				 struct string_builder *notes)
{
	const struct source_driver *driver = source_driver_driver_of(source);
	if (driver->lacks_clusters)
		string_builder_append(
			notes, "no cluster events: Windows lists no cluster (ACPI\\ARMHD500); give "
			       "their number with --source driver,dsu=N\n");
	if (driver->lacks_channels)
		string_builder_append(
			notes,
			"no memory events: Windows lists no memory controller (ACPI\\ARMHD620); "
			"give the number of channels with --source driver,dmc=N\n");
	return NULL; // the tables of its CPU say the rest
}

static struct error *describe_driver(struct source *source, struct source_info *ret)
{
	struct source_driver *driver = source_driver_driver_of(source);
	struct error *err = believe_clusters(driver);
	if (!err)
		err = driver_client_describe(&driver->driver.transport, &driver->driver.topology,
					     ret);
	if (!err)
		err = source_driver_describe_cores(driver, ret);
	if (!err)
		err = describe_in_words(driver, ret);
	if (!err)
		err = compare_version(driver, ret);
	ret->tells_tasks = driver->ring.features & WPERF_RING_TASKS;
	if (err)
		return err;
	// What the driver could count, if only we knew where it is.
	const struct driver_topology *topology = &driver->driver.topology;
	driver->lacks_clusters = strstr(ret->device_id, "dsu.stat") && !topology->dsu_clusters;
	driver->lacks_channels = strstr(ret->device_id, "dmc.stat") && !topology->dmc_channels;
	return NULL;
}

static struct error *identify_driver(const struct source_settings *said, uint64_t *ret_midr)
{
	*ret_midr = 0;
	driver_device_core_midr(0, ret_midr);
	return NULL;
}

// SPE's times are of the timer that the ring tells.
static struct error *source_driver_sample_open(struct source *source,
					       const struct sample_plan *plan)
{
	struct source_driver *driver = source_driver_driver_of(source);
	struct driver_transport *transport = &driver->driver.transport;
	if (driver->ring.version) {
		struct error *err = ring_client_ask(transport, &driver->ring);
		if (err)
			return err;
		driver->driver.machine.conversion =
			time_conversion_of_timer(driver->ring.timer_frequency,
						 driver->ring.timer_now,
						 transport->now_ns(transport->context));
	}
	return driver_source_sample_open(source, plan);
}

static const char *source_driver_run_note(struct source *source, size_t n)
{
	const char *version_note = source_driver_driver_of(source)->version_note;
	if (!version_note)
		return driver_source_run_note(source, n);
	return n == 0 ? version_note : driver_source_run_note(source, n - 1);
}

static const char no_driver_hint[] = "install a driver, as administrator: wperf-devgen install, or "
				     "that of WindowsPerf (docs/windows.md)";

static struct error *add_finding(const struct source_info *info, struct error *err,
				 struct probe *ret)
{
	static const char ability[] = "counting and sampling";
	if (!err)
		return probe_add_finding(ret, ability, PROBE_YES, info->description, NULL);
	if (err == &error_no_memory)
		return err;
	// Only the first line: WindowsPerf's messages go on with what was done about it.
	_cleanup_(error_destroyp) struct error *owned = err;
	size_t line = strcspn(owned->message, "\n");
	_cleanup_free_ char *detail = strndup(owned->message, line);
	if (!detail)
		return &error_no_memory;
	// By the text of lock_refused(): errors have no code of their own for a lock.
	bool is_busy = strstr(owned->message, "acquired the wperf-driver");
	if (is_busy)
		return probe_add_finding(
			ret, ability, PROBE_NO, detail,
			"wait for it to end, or take the driver with --force-lock");
	return probe_add_missing(ret, ability, detail, no_driver_hint, "wperf-devgen install");
}

static struct error *probe_driver(const struct source_settings *said, struct probe *ret)
{
	_cleanup_(source_closep) struct source *source = NULL;
	_cleanup_(source_info_deinit) struct source_info info = SOURCE_INFO_INIT;
	struct error *err = driver_device_list(ret);
	if (err)
		return err;
	err = open_driver(said, false, &source);
	if (!err)
		err = describe_driver(source, &info);
	return add_finding(&info, err, ret);
}

/** Is there a driver at all? */
static struct error *source_driver_check_sampling(void)
{
	struct driver_device *device = NULL;
	struct error *err = driver_device_open(NULL, &device);
	driver_device_destroy(device);
	return err;
}

static const struct count_ops driver_count_ops = {
	.open = driver_source_count_open,
	.start = driver_source_count_start,
	.stop = driver_source_count_stop,
	.reset = driver_source_count_reset,
	.read = driver_source_count_read,
	.close = driver_source_count_close,
};

static const struct sample_ops driver_sample_ops = {
	.check = source_driver_check_sampling,
	.open = source_driver_sample_open,
	.start = driver_source_sample_start,
	.stop = driver_source_sample_stop,
	.wait = driver_source_sample_wait,
	.next = driver_source_sample_next,
	.close = driver_source_sample_close,
	.totals = driver_source_sample_totals,
	.events = driver_source_sample_events,
};

const struct source_ops source_driver_ops = {
	.traits =
		{
			.name = "driver",
			.summary = "Windows on Arm: counters of cores, clusters and memory, "
				   "through the driver of "
				   "wperf or WindowsPerf",
			.settings = settings,
		},
	.probe = probe_driver,
	.identify = identify_driver,
	.open = open_driver,
	.describe = describe_driver,
	.list_events = list_events,
	.run_note = source_driver_run_note,
	.count = &driver_count_ops,
	.sample = &driver_sample_ops,
	.close = close_driver,
};
