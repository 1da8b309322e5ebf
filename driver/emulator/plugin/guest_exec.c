// SPDX-License-Identifier: Apache-2.0

#include "driver/emulator/plugin/guest_exec.h"

#include "driver/emulator/plugin/guest_memory.h"
#include "driver/emulator/plugin/guest_thread.h"
#include "driver/emulator/plugin/plugin_state.h"
#include "driver/emulator/program_file.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

// QEMU's user mode passes execve() to the host, which cannot run AArch64 programs (without
// binfmt_misc). guest_exec() therefore reads path, arguments and environment from the program's
// memory, follows #! lines as the kernel does, and executes the emulator again with the same
// options. Variables LD_* are for the emulated loader, not for that of the emulator, and are passed
// by -E. If anything is not as expected, it returns, and the emulator goes on with the original
// call.

enum {
	MAX_WORDS = 1 << 16,
	MAX_TEXT = 1 << 20,
	MAX_INTERPRETERS = 4, /* a script's interpreter may be a script */
};

#define OPEN_FILE "/proc/self/fd/"

/** Words of a command line or an environment; ends with NULL. */
struct words {
	char **items;
	size_t num_items, cap_items;
};

/** What is to be run, and by which emulator with what options. */
struct new_program {
	struct plugin *plugin; /* who starts it */
	struct words arguments, environment, command;
	char path[PATH_MAX];                                      /* on the host */
	char option[2 * REGION_PATH_SIZE + 3 * REGION_NAME_SIZE]; /* for the emulator: the plugin */
	char text[MAX_TEXT]; /* the string that is being read */
};

static bool words_add(struct words *words, char *word)
{
	if (!words->items || words->num_items + 1 >= words->cap_items) {
		size_t cap = words->cap_items ? 2 * words->cap_items : 64;
		char **items = realloc(words->items, cap * sizeof(*items));
		if (!items)
			return false;
		words->items = items;
		words->cap_items = cap;
	}
	words->items[words->num_items++] = word;
	words->items[words->num_items] = NULL;
	return true;
}

static bool words_add_front(struct words *words, char *word)
{
	if (!words_add(words, NULL))
		return false;
	memmove(words->items + 1, words->items, (words->num_items - 1) * sizeof(*words->items));
	words->items[0] = word;
	words->items[words->num_items] = NULL;
	return true;
}

static char *guest_exec_read_text(struct new_program *program, uint64_t address)
{
	bool is_read = guest_memory_read_string(program->plugin, address, program->text,
						sizeof(program->text));
	return is_read ? strdup(program->text) : NULL;
}

// An array of pointers that ends with 0; NULL is an empty one, as Linux takes it.
static bool read_words(struct new_program *program, uint64_t address, struct words *ret)
{
	uint64_t word;
	for (size_t i = 0; address && i < MAX_WORDS; i++) {
		if (!guest_memory_read_word(program->plugin, address + i * sizeof(word), &word))
			return false;
		if (!word)
			break;
		char *text = guest_exec_read_text(program, word);
		if (!text || !words_add(ret, text))
			return false;
	}
	return ret->items || words_add(ret, NULL);
}

/** Follow "#!" to a program that is no script. */
static enum program_kind guest_exec_resolve(struct new_program *program)
{
	enum program_kind kind = PROGRAM_NONE;
	for (int i = 0; i <= MAX_INTERPRETERS; i++) {
		struct program_script script;
		kind = program_file_kind(program->path, &script);
		if (kind != PROGRAM_SCRIPT)
			break;
		// The name it was called by gives way to where it is.
		if (program->arguments.num_items)
			program->arguments.items[0] = strdup(program->path);
		if (*script.argument)
			words_add_front(&program->arguments, strdup(script.argument));
		words_add_front(&program->arguments, strdup(script.interpreter));
		program_file_place(program->plugin->config->sysroot, script.interpreter,
				   program->path, sizeof(program->path));
	}
	return kind;
}

/** Variables of the loader are for the program, not for the emulator. */
static void add_environment(struct new_program *program, struct words *host)
{
	for (size_t i = 0; i < program->environment.num_items; i++) {
		char *word = program->environment.items[i];
		if (word && strncmp(word, "LD_", 3) == 0) {
			words_add(&program->command, (char *)"-E");
			words_add(&program->command, word);
		} else if (word) {
			words_add(host, word);
		}
	}
}

/**
 * Nobody watches any more, but programs must still find emulators for those that they start: a
 * region of their own, for whose numbers nobody asks.
 */
static int guest_exec_create_region(struct region_config config)
{
	config.mode = REGION_COUNTS;
	config.num_sampled = 0;
	config.counts_branches = config.counts_memory = config.counts_model = false;
	int fd = memfd_create("wperf-region", 0);
	bool is_written = fd >= 0 && ftruncate(fd, sizeof(struct region)) == 0 &&
			  pwrite(fd, &config, sizeof(config), offsetof(struct region, config)) ==
				  sizeof(config);
	return is_written ? fd : -1;
}

static bool guest_exec_add_words(struct new_program *program, struct words *host)
{
	const struct region_config *config = program->plugin->config;
	const char *const options[] = {
		config->emulator, "-cpu",    config->cpu,     "-L",
		config->sysroot,  "-plugin", program->option,
	};
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
		words_add(&program->command, (char *)options[i]);
	add_environment(program, host);
	if (program->arguments.num_items && program->arguments.items[0]) {
		words_add(&program->command, (char *)"-0");
		words_add(&program->command, program->arguments.items[0]);
	}
	words_add(&program->command, program->path);
	for (size_t i = 1; i < program->arguments.num_items; i++)
		words_add(&program->command, program->arguments.items[i]);
	return program->command.items && (host->items || words_add(host, NULL));
}

static void guest_exec_run(struct new_program *program)
{
	struct words host = {0};
	char region_path[REGION_NAME_SIZE];
	const struct region_config *config = program->plugin->config;
	// An open file, which the next emulator closes: wperf may end meanwhile.
	int region_fd = open(config->region_path, O_RDWR);
	if (region_fd < 0)
		region_fd = guest_exec_create_region(*config);
	if (region_fd < 0)
		return;
	snprintf(region_path, sizeof(region_path), OPEN_FILE "%d", region_fd);
	if (program_file_plugin_option(config->plugin, region_path, program->path, program->option,
				       sizeof(program->option)) &&
	    guest_exec_add_words(program, &host))
		execve(config->emulator, program->command.items, host.items);
	close(region_fd);
}

/** A file that is open now may be none for the emulator that is to come. */
static bool guest_exec_read_link(const char *link, char ret[static PATH_MAX])
{
	ssize_t length = readlink(link, ret, PATH_MAX - 1);
	ret[length > 0 ? length : 0] = '\0';
	return length > 0 && *ret == '/';
}

/** Where the host has a file of this name. An empty name is that of @folder itself. */
static void find_file(const struct plugin *plugin, int folder, const char *name,
		      char ret[static PATH_MAX])
{
	static const char own_program[] = "/proc/self/exe", open_file[] = OPEN_FILE;
	char link[64];
	snprintf(link, sizeof(link), "%s%d", open_file, folder);
	// /proc/self/exe and /proc/self/fd are the emulator's on the host, and name what the
	// program has open.
	if (strcmp(name, own_program) == 0)
		snprintf(ret, PATH_MAX, "%s", plugin->program); // the host's is the emulator
	else if (*name != '/' && folder != GUEST_WORKING_FOLDER && guest_exec_read_link(link, ret))
		snprintf(ret + strlen(ret), PATH_MAX - strlen(ret), "%s%s", *name ? "/" : "", name);
	else if (strncmp(name, open_file, strlen(open_file)) != 0 ||
		 !guest_exec_read_link(name, ret))
		program_file_place(plugin->config->sysroot, name, ret, PATH_MAX);
}

void guest_exec(struct plugin *plugin, int folder, uint64_t path, uint64_t arguments,
		uint64_t environment)
{
	struct new_program *program = calloc(1, sizeof(*program)); // too large for a stack
	if (!program)
		return;
	program->plugin = plugin;
	char *name = guest_exec_read_text(program, path);
	if (name && read_words(program, arguments, &program->arguments) &&
	    read_words(program, environment, &program->environment)) {
		find_file(plugin, folder, name, program->path);
		switch (guest_exec_resolve(program)) {
		case PROGRAM_AARCH64:
			guest_exec_run(program);
			break;
		case PROGRAM_FOREIGN:
			plugin->region->num_foreign_programs++;
			break;
		default:
			break;
		}
	}
	free(program);
}
