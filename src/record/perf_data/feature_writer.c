// SPDX-License-Identifier: Apache-2.0

#include "record/perf_data/feature_writer.h"

#include "record/perf_data/perf_abi.h"

#include "base/container/array.h"

#include <string.h>

// The counterpart of feature_reader.c, byte for byte as perf writes it: strings are padded to 64
// bytes (NAME_ALIGN of tools/perf/util/header.c). A feature without content gets no section and no
// bit, so each writer just appends nothing if it has nothing. Features from 200 on are our own.
// perf has about 32 and skips numbers that it does not know.

enum {
	NAME_ALIGN = 64, /* what perf pads its strings to */
	CLOCK_VERSION = 1,
	EVERY_PROCESS = -1, /* another pid would be that of a virtual machine */
};

static void put_u32(struct string_builder *bytes, uint32_t value)
{
	string_builder_append_n(bytes, (const char *)&value, sizeof(value));
}

static void put_u64(struct string_builder *bytes, uint64_t value)
{
	string_builder_append_n(bytes, (const char *)&value, sizeof(value));
}

// Of a name and its padding.
static size_t padded_size(const char *name)
{
	// At least one NUL, as readers of perf take the bytes as they are.
	return (strlen(name) / NAME_ALIGN + 1) * NAME_ALIGN;
}

static void put_padded(struct string_builder *bytes, const char *name)
{
	static const char zeros[NAME_ALIGN];
	size_t length = strlen(name);
	string_builder_append_n(bytes, name, length);
	string_builder_append_n(bytes, zeros, padded_size(name) - length);
}

static void feature_writer_put_string(struct string_builder *bytes, const char *text)
{
	put_u32(bytes, (uint32_t)padded_size(text));
	put_padded(bytes, text);
}

static void write_build_ids(const struct perf_data_info *info, struct string_builder *bytes)
{
	for (size_t i = 0; i < info->num_build_ids; i++) {
		const struct perf_data_build_id *file = &info->build_ids[i];
		size_t size = PERF_ABI_BUILD_ID_FIXED + padded_size(file->path);
		if (size > PERF_ABI_MAX_RECORD || file->build_id.size > RECORD_BUILD_ID_MAX)
			continue;
		uint16_t mode = file->is_kernel ? RECORD_MODE_KERNEL : RECORD_MODE_USER;
		// The type is 0 in a file's header: it is in a list of nothing else.
		struct perf_abi_header header = {
			.misc = mode | PERF_ABI_MISC_BUILD_ID_SIZE,
			.size = (uint16_t)size,
		};
		uint8_t build_id[PERF_ABI_BUILD_ID_SIZE] = {};
		memcpy(build_id, file->build_id.bytes, file->build_id.size);
		build_id[RECORD_BUILD_ID_MAX] = file->build_id.size;
		string_builder_append_n(bytes, (const char *)&header, sizeof(header));
		put_u32(bytes, (uint32_t)EVERY_PROCESS);
		string_builder_append_n(bytes, (const char *)build_id, sizeof(build_id));
		put_padded(bytes, file->path);
	}
}

static void write_cpus(const struct perf_data_info *info, struct string_builder *bytes)
{
	if (!info->cpus_available)
		return;
	put_u32(bytes, info->cpus_available);
	put_u32(bytes, info->cpus_online);
}

static void write_memory(const struct perf_data_info *info, struct string_builder *bytes)
{
	if (info->total_memory_kb)
		put_u64(bytes, info->total_memory_kb);
}

static void write_arguments(const struct perf_data_info *info, struct string_builder *bytes)
{
	uint32_t count = 0;
	while (info->arguments && info->arguments[count])
		count++;
	if (!count)
		return;
	put_u32(bytes, count);
	for (uint32_t i = 0; i < count; i++)
		feature_writer_put_string(bytes, info->arguments[i]);
}

static void feature_writer_write_events(const struct perf_data_info *info,
					struct string_builder *bytes)
{
	if (!info->num_events)
		return;
	put_u32(bytes, (uint32_t)info->num_events);
	put_u32(bytes, info->events[0].attr_size);
	for (size_t i = 0; i < info->num_events; i++) {
		const struct perf_data_event *event = &info->events[i];
		string_builder_append_n(bytes, (const char *)event->attr, event->attr_size);
		put_u32(bytes, (uint32_t)event->num_ids);
		feature_writer_put_string(bytes, event->name);
		for (size_t id = 0; id < event->num_ids; id++)
			put_u64(bytes, event->ids[id]);
	}
}

static void write_sample_time(const struct perf_data_info *info, struct string_builder *bytes)
{
	if (!info->last_time_ns)
		return;
	put_u64(bytes, info->first_time_ns);
	put_u64(bytes, info->last_time_ns);
}

static void write_clock(const struct perf_data_info *info, struct string_builder *bytes)
{
	if (!info->wall_ns)
		return;
	put_u32(bytes, CLOCK_VERSION);
	put_u32(bytes, info->clock_id);
	put_u64(bytes, info->wall_ns);
	put_u64(bytes, info->clock_ns);
}

static void feature_writer_write_line_image(const struct perf_data_info *info,
					    struct string_builder *bytes)
{
	string_builder_append_n(bytes, (const char *)info->line_image, info->line_image_size);
}

static void feature_writer_write_names(const struct perf_data_info *info,
				       struct string_builder *bytes)
{
	string_builder_append_n(bytes, (const char *)info->names, info->names_size);
}

static void feature_writer_write_memory(const struct perf_data_info *info,
					struct string_builder *bytes)
{
	string_builder_append_n(bytes, (const char *)info->memory, info->memory_size);
}

static void feature_writer_write_run_queue(const struct perf_data_info *info,
					   struct string_builder *bytes)
{
	string_builder_append_n(bytes, (const char *)info->run_queue, info->run_queue_size);
}

static void write_users(const struct perf_data_info *info, struct string_builder *bytes)
{
	for (size_t i = 0; i < info->num_users; i++) {
		put_u32(bytes, info->users[i].pid);
		put_u32(bytes, info->users[i].user);
		put_u32(bytes, info->users[i].group);
	}
}

/** In the order of write_users(). */
static void write_rights(const struct perf_data_info *info, struct string_builder *bytes)
{
	for (size_t i = 0; i < info->num_users; i++) {
		const struct perf_data_user *user = &info->users[i];
		put_u32(bytes, user->num_groups | (user->is_unseen ? PERF_ABI_RIGHTS_UNSEEN : 0));
		for (uint32_t k = 0; k < user->num_groups; k++)
			put_u32(bytes, user->groups[k]);
		put_u64(bytes, user->root.mounts);
		put_u64(bytes, user->root.device);
		put_u64(bytes, user->root.inode);
	}
}

/** Of each image: u32 age, time stamp, size, size of the build id; 20 bytes; name, path. */
static void write_pdbs(const struct perf_data_info *info, struct string_builder *bytes)
{
	for (size_t i = 0; i < info->num_pdbs; i++) {
		const struct perf_data_pdb *pdb = &info->pdbs[i];
		put_u32(bytes, pdb->age);
		put_u32(bytes, pdb->image_time);
		put_u32(bytes, pdb->image_size);
		put_u32(bytes, pdb->build_id.size);
		string_builder_append_n(bytes, (const char *)pdb->build_id.bytes,
					RECORD_BUILD_ID_MAX);
		feature_writer_put_string(bytes, pdb->name ? pdb->name : "");
		feature_writer_put_string(bytes, pdb->path ? pdb->path : "");
	}
}

/** Five numbers of 64 bits; more may follow one day. */
static void write_collection(const struct perf_data_info *info, struct string_builder *bytes)
{
	const struct collection_facts *facts = &info->collection;
	if (facts->method == COLLECTION_NONE)
		return;
	put_u64(bytes, facts->method);
	put_u64(bytes, facts->num_samples);
	put_u64(bytes, facts->num_without);
	put_u64(bytes, facts->mean_skew_ns);
	put_u64(bytes, facts->max_skew_ns);
}

static void write_let_go(const struct perf_data_info *info, struct string_builder *bytes)
{
	if (info->num_let_go)
		put_u64(bytes, info->num_let_go);
}

static const char *feature_writer_string_of(unsigned feature, const struct perf_data_info *info)
{
	switch (feature) {
	case PERF_ABI_FEATURE_HOST:
		return info->host;
	case PERF_ABI_FEATURE_RELEASE:
		return info->system_release;
	case PERF_ABI_FEATURE_VERSION:
		return info->version;
	case PERF_ABI_FEATURE_MACHINE:
		return info->machine;
	case PERF_ABI_FEATURE_CPU_DESCRIPTION:
		return info->cpu_description;
	case PERF_ABI_FEATURE_CPU_ID:
		return info->cpu_id;
	case PERF_ABI_FEATURE_LANGUAGE:
		return info->language;
	default:
		return NULL;
	}
}

void feature_write(unsigned feature, const struct perf_data_info *info, struct string_builder *ret)
{
	typedef void (*write_fn)(const struct perf_data_info *info, struct string_builder *bytes);
	static const write_fn writers[] = {
		[PERF_ABI_FEATURE_BUILD_ID] = write_build_ids,
		[PERF_ABI_FEATURE_CPUS] = write_cpus,
		[PERF_ABI_FEATURE_MEMORY] = write_memory,
		[PERF_ABI_FEATURE_ARGUMENTS] = write_arguments,
		[PERF_ABI_FEATURE_EVENTS] = feature_writer_write_events,
		[PERF_ABI_FEATURE_SAMPLE_TIME] = write_sample_time,
		[PERF_ABI_FEATURE_CLOCK] = write_clock,
		[PERF_ABI_FEATURE_LINE_IMAGE] = feature_writer_write_line_image,
		[PERF_ABI_FEATURE_COLLECTION] = write_collection,
		[PERF_ABI_FEATURE_NAMES] = feature_writer_write_names,
		[PERF_ABI_FEATURE_USERS] = write_users,
		[PERF_ABI_FEATURE_RIGHTS] = write_rights,
		[PERF_ABI_FEATURE_PDBS] = write_pdbs,
		[PERF_ABI_FEATURE_IN_USE] = feature_writer_write_memory,
		[PERF_ABI_FEATURE_LET_GO] = write_let_go,
		[PERF_ABI_FEATURE_RUN_QUEUE] = feature_writer_write_run_queue,
	};
	const char *text = feature_writer_string_of(feature, info);
	if (text)
		feature_writer_put_string(ret, text);
	else if (feature < ARRAY_SIZE(writers) && writers[feature])
		writers[feature](info, ret);
}
