// SPDX-License-Identifier: Apache-2.0

#include "symbols/jit/process_code.h"

#include "base/file/file_name.h"
#include "base/text/string_builder.h"
#include "symbols/jit/jitdump.h"
#include "symbols/jit/perf_map.h"
#include "symbols/jit/process_identity.h"

#include <inttypes.h>
#include <string.h>

// Two formats, both conventions of perf: jit-PID.dump
// (tools/perf/Documentation/jitdump-specification.txt) and /tmp/perf-PID.map (jit-interface.txt).
// The dump is found by its mapping, as JIT compilers map it to leave a trace, or in /tmp. PIDs in
// the names are those inside the process's namespace (process_identity). Each file is copied as a
// whole before it is parsed, since the process may still write it, and must belong to the process's
// user or root.

enum { ROOT = 0 };

/** Keeps the first reason for which names are missing. Memory that ended is no reason. */
static struct error *note_refusal(struct process_code *code, struct error *err)
{
	if (!err || err->code == ERROR_NO_MEMORY)
		return err;
	// Most processes have no such files; that is no reason to report anything.
	if (err->code == ERROR_ABSENT || code->refusal)
		error_destroy(err);
	else
		code->refusal = err;
	return NULL;
}

static struct error *process_code_try_path(struct process_code *code, const char *path,
					   const struct process_identity *identity,
					   struct whole_file *file)
{
	_cleanup_(whole_file_deinit) struct whole_file tried = WHOLE_FILE_INIT;
	struct error *err = whole_file_read(&tried, path, code->room, code->rights);
	// Anybody may write to /tmp: otherwise any user could name the functions of another user's
	// program.
	if (!err && tried.owner != ROOT && tried.owner != identity->user)
		err = error_with_hint(error_create(ERROR_FAILED, "'%s' belongs to another user",
						   path),
				      "if you trust it: chown root '%s'", path);
	if (err)
		return note_refusal(code, err);
	code->room -= tried.size < code->room ? tried.size : code->room;
	*file = tried;
	tried = (struct whole_file)WHOLE_FILE_INIT;
	return NULL;
}

static struct error *read_temporary(struct process_code *code, const char *prefix,
				    const char *suffix, const struct process_identity *identity,
				    struct whole_file *file)
{
	_cleanup_(string_builder_deinit) struct string_builder path = STRING_BUILDER_INIT;
	string_builder_appendf(&path, "/tmp/%s%u%s", prefix, identity->inner_pid, suffix);
	if (path.failed)
		return &error_no_memory;
	return process_code_try_path(code, path.text, identity, file);
}

/** Who it is for itself, and whose its files are. */
static struct error *load_jitdump(struct process_code *code, const char *path,
				  const struct process_identity *identity)
{
	struct whole_file *file = &code->jitdump_bytes;
	struct error *err = NULL;
	if (path)
		err = process_code_try_path(code, path, identity, file);
	if (!err && !file->bytes)
		err = read_temporary(code, "jit-", ".dump", identity, file);
	if (err || !file->bytes)
		return err;
	err = jitdump_parse(&code->jitdump, file->bytes, file->size);
	return note_refusal(code, err);
}

static struct error *load_perf_map(struct process_code *code,
				   const struct process_identity *identity)
{
	struct whole_file *file = &code->perf_map_text;
	struct error *err = read_temporary(code, "perf-", ".map", identity, file);
	if (err || !file->bytes)
		return err;
	return perf_map_parse(&code->perf_map, file->bytes, file->size);
}

struct error *process_code_load(struct process_code *code, uint32_t pid,
				const struct process_code_place *place, size_t room)
{
	_cleanup_(process_code_deinit) struct process_code loaded = {
		.pid = pid, .room = room, .rights = place->rights};
	// Who the process is for itself, and whose its files are.
	struct process_identity identity = process_identity_of(pid, place->may_be_here);
	if (!identity.is_here && place->rights && place->rights->is_known)
		identity.user = place->rights->user;
	struct error *err = load_jitdump(&loaded, place->jitdump, &identity);
	if (!err)
		err = load_perf_map(&loaded, &identity);
	uint64_t num_left_out = loaded.jitdump.num_left_out + loaded.perf_map.num_left_out;
	if (!err && num_left_out)
		err = note_refusal(&loaded,
				   error_create(ERROR_FAILED,
						"process %u wrote more than %d names; %" PRIu64
						" of them were not read",
						pid, CODE_MAP_MAX_RANGES, num_left_out));
	if (err)
		return err;
	*code = loaded;
	code->rights = NULL;
	loaded = (struct process_code){0};
	return NULL;
}

static uint64_t size_of_map(const struct code_map *map)
{
	return map->cap_ranges * sizeof(*map->ranges) + map->cap_pieces * sizeof(*map->pieces) +
	       map->cap_lines * sizeof(*map->lines);
}

uint64_t process_code_size(const struct process_code *code)
{
	return code->jitdump_bytes.size + code->perf_map_text.size + size_of_map(&code->jitdump) +
	       size_of_map(&code->perf_map);
}

bool process_code_is_jitdump(const char *path)
{
	static const char prefix[] = "jit-";
	const char *name = file_name_of(path);
	if (strncmp(name, prefix, strlen(prefix)) != 0)
		return false;
	name += strlen(prefix);
	size_t digits = strspn(name, "0123456789");
	return digits && !strcmp(name + digits, ".dump");
}

const struct code_range *process_code_find(const struct process_code *code, uint64_t address,
					   const struct code_map **ret)
{
	// The dump first, as it has lines and knows what was moved.
	const struct code_map *maps[] = {&code->jitdump, &code->perf_map};
	for (size_t i = 0; i < sizeof(maps) / sizeof(*maps); i++) {
		const struct code_range *range = code_map_find(maps[i], address);
		*ret = maps[i];
		if (range)
			return range;
	}
	return NULL;
}

void process_code_deinit(struct process_code *code)
{
	code_map_deinit(&code->jitdump);
	code_map_deinit(&code->perf_map);
	whole_file_deinit(&code->jitdump_bytes);
	whole_file_deinit(&code->perf_map_text);
	error_destroy(code->refusal);
	*code = (struct process_code){0};
}
