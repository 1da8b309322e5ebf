// SPDX-License-Identifier: Apache-2.0

#include "source/emulate/emulated_machine.h"

#include "base/container/array.h"
#include "base/file/close_fd.h"
#include "base/file/file_map.h"
#include "driver/emulator/program_file.h"
#include "source/companion_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// The emulator is qemu-user with our TCG plugin. Communication is by two memfd files, the region
// (configuration and counts) and a ring in the format of perf; the plugin opens them by
// /proc/PID/fd/N, so that nothing remains on disk. emulated_machine_find_emulator() searches the
// emulator's file for the name of an API function of plugins before it is started: an emulator
// without plugin support would only print an error in the middle of the program's output.

static const char emulator_name[] = "qemu-aarch64";
static const char plugin_name[] = "wperf-emulated-pmu.so";

// What an emulator that takes our plugin has in its file.
static const char needed_function[] = "qemu_plugin_register_vcpu_tb_exec_inline";

// And what a plugin has in its own.
static const char installer[] = "qemu_plugin_install";

void emulated_machine_deinit(struct emulated_machine *machine)
{
	if (machine->region) {
		machine->region->is_closed = true;
		munmap(machine->region, sizeof(*machine->region));
	}
	close_fd(&machine->region_fd);
	close_fd(&machine->ring_fd);
	guest_program_deinit(&machine->program);
	free(machine->words);
	*machine = (struct emulated_machine)EMULATED_MACHINE_INIT;
}

static bool may_be_run(const char *path)
{
	return access(path, X_OK) == 0;
}

static struct error *look_for(const char *path, const char *text, size_t size, bool *ret)
{
	_cleanup_(file_map_close) struct file_map file = FILE_MAP_INIT;
	struct error *err = file_map_open(&file, path);
	if (!err)
		// With its final zero, so that it is the whole name.
		*ret = memmem(file.data, file.size, text, size);
	return err;
}

struct error *emulated_machine_find_emulator(const char *said, char ret[static PATH_MAX])
{
	if (said)
		snprintf(ret, PATH_MAX, "%s", said);
	else if (!program_file_in_path(emulator_name, may_be_run, ret, PATH_MAX))
		return error_with_hint(error_create(ERROR_ABSENT, "%s is missing", emulator_name),
				       "install the package qemu-user (Debian 12)");
	bool takes_plugins = false;
	struct error *err = look_for(ret, needed_function, sizeof(needed_function), &takes_plugins);
	if (err || takes_plugins)
		return err;
	return error_with_hint(
		error_create(ERROR_FAILED, "the emulator %s does not support plugins", ret),
		"install qemu-user of Debian 12 (qemu-user-static and newer packages lack "
		"plugins), or name another one: --source emulate,qemu=PATH");
}

/** Beside our own program, or where packages put what belongs to a program. */
struct error *emulated_machine_find_plugin(const char *said, char ret[static PATH_MAX])
{
	if (said) {
		bool is_plugin = false;
		snprintf(ret, PATH_MAX, "%s", said);
		struct error *err = look_for(ret, installer, sizeof(installer), &is_plugin);
		if (err || is_plugin)
			return err;
		return error_with_hint(error_create(ERROR_FAILED, "%s is not a QEMU plugin", ret),
				       "the plugin of wperf is called %s", plugin_name);
	}
	if (companion_file_find(plugin_name, ret))
		return NULL;
	return error_with_hint(error_create(ERROR_ABSENT, "%s is missing beside %s", plugin_name,
					    "this wperf"),
			       "install the package wperf-emulated-pmu, or give its path: "
			       "--source emulate,plugin=PATH");
}

static struct error *create_memory(const char *name, size_t size, int *ret_fd, char *path,
				   size_t path_size)
{
	*ret_fd = memfd_create(name, MFD_CLOEXEC);
	if (*ret_fd < 0 || ftruncate(*ret_fd, (off_t)size))
		return error_create_errno(errno, "cannot share memory with the emulator");
	snprintf(path, path_size, "/proc/%d/fd/%d", (int)getpid(), *ret_fd);
	return NULL;
}

static struct error *emulated_machine_create_region(struct emulated_machine *machine)
{
	char path[REGION_NAME_SIZE];
	struct error *err = create_memory("wperf-region", sizeof(struct region),
					  &machine->region_fd, path, sizeof(path));
	if (err)
		return err;
	// Most of its places for threads are never touched: no swap is reserved for them.
	void *memory = mmap(NULL, sizeof(struct region), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_NORESERVE, machine->region_fd, 0);
	if (memory == MAP_FAILED)
		return error_create_errno(errno, "cannot share memory with the emulator");
	machine->region = memory;
	snprintf(machine->region->config.region_path, REGION_NAME_SIZE, "%s", path);
	if (!region_init(machine->region))
		return error_create(ERROR_FAILED, "this system has no process-shared locks");
	machine->region->config.version = REGION_VERSION;
	// Threads that wait for room give up when this process is gone (reader_is_gone() of
	// ring.c).
	machine->region->config.reader = getpid();
	return NULL;
}

struct error *emulated_machine_create_ring(struct emulated_machine *machine, size_t bytes)
{
	struct region_config *config = &machine->region->config;
	config->ring_bytes = bytes;
	return create_memory("wperf-ring", REGION_PAGE + bytes, &machine->ring_fd,
			     config->ring_path, sizeof(config->ring_path));
}

static struct error *fill_words(struct emulated_machine *machine)
{
	const struct region_config *config = &machine->region->config;
	// -0 gives argv[0], which may be another name than the path.
	const char *const options[] = {
		config->emulator,
		"-cpu",
		config->cpu,
		"-L",
		config->sysroot,
		"-plugin",
		machine->plugin_option,
		"-0",
		machine->program.arguments[0],
		machine->program.path,
	};
	if (!program_file_plugin_option(config->plugin, config->region_path, machine->program.path,
					machine->plugin_option, sizeof(machine->plugin_option)))
		return error_create(ERROR_FAILED, "the path of the program is too long");
	size_t num_arguments = 0;
	while (machine->program.arguments[num_arguments])
		num_arguments++;
	machine->words = calloc(ARRAY_SIZE(options) + num_arguments, sizeof(*machine->words));
	if (!machine->words)
		return &error_no_memory;
	// exec() takes words that it does not change as if it did.
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		machine->words[i] = (char *)options[i];
	memcpy(machine->words + ARRAY_SIZE(options), machine->program.arguments + 1,
	       num_arguments * sizeof(*machine->words));
	return NULL;
}

struct error *emulated_machine_prepare(struct emulated_machine *machine,
				       const struct emulated_command *command)
{
	struct error *err = emulated_machine_create_region(machine);
	if (err)
		return err;
	struct region_config *config = &machine->region->config;
	err = emulated_machine_find_emulator(command->emulator, config->emulator);
	if (!err)
		err = emulated_machine_find_plugin(command->plugin, config->plugin);
	if (!err)
		err = guest_program_find(command->command, command->sysroot, &machine->program);
	if (err)
		return err;
	snprintf(config->cpu, sizeof(config->cpu), "%s", command->cpu);
	// An option cannot be empty; this one changes nothing.
	snprintf(config->sysroot, sizeof(config->sysroot), "%s",
		 *machine->program.sysroot ? machine->program.sysroot : "/");
	return fill_words(machine);
}

const char *emulated_machine_note(const struct emulated_machine *machine, size_t n)
{
	static const char no_registers[] =
		"samples have no call stacks: this emulator is not QEMU 7";
	const struct region *region = machine->region;
	if (!region)
		return NULL;
	bool chains_are_wanted = region->config.chain != REGION_CHAIN_NONE;
	const struct {
		bool is_so;
		const char *text;
	} notes[] = {
		{region->num_uncounted_threads, "too many threads at once: not all were counted"},
		{region->num_foreign_programs,
		 "programs for another machine ran without the emulator"},
		{region->has_no_registers && chains_are_wanted, no_registers},
	};
	for (size_t i = 0; i < ARRAY_SIZE(notes); i++)
		if (notes[i].is_so && n-- == 0)
			return notes[i].text;
	return NULL;
}

struct error *emulated_machine_measure(const struct event *event, enum measure *ret)
{
	if (measure_of_event(event->code, ret))
		return NULL;
	return error_with_hint(error_create(ERROR_FAILED, "event '%s' is not emulated",
					    event->name),
			       "'wperf list --source emulate' shows emulated events");
}
