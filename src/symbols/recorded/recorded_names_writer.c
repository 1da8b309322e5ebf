// SPDX-License-Identifier: Apache-2.0

#include "symbols/recorded/recorded_names_writer.h"

#include "base/text/anonymous_text.h"
#include "symbols/recorded/recorded_names.h"

#include <stdlib.h>
#include <string.h>

// Strings, functions and modules grow in three builders at the same time, each string or function
// when it is used first, and are joined at the end. Linkage names are written, not readable ones,
// so that the reader can choose the form.
//
//	strings    count, "\0", "main\0", "/usr/bin/app\0", ...
//	functions  count, (name, module, file, line, kind), ...
//	modules    count, (kind, pid, path, places: (distance, address, frames: (...)), ...), ...

static void recorded_names_writer_put(struct string_builder *bytes, uint64_t value)
{
	// ULEB128, as in DWARF: seven bits in each byte, the lowest first; the highest bit says
	// that more follow.
	for (; value >= 0x80; value >>= 7)
		string_builder_append_char(bytes, (char)(value | 0x80));
	string_builder_append_char(bytes, (char)value);
}

/** Strings of no profile, such as the paths of modules, are told apart from its own by no number.
 */
static uint32_t add_string(struct recorded_names_writer *writer, const char *text)
{
	struct string_builder *bytes = &writer->strings.bytes;
	if (writer->is_anonymous && anonymous_text_append(text, bytes))
		string_builder_append_char(bytes, '\0');
	else
		string_builder_append_n(bytes, text, strlen(text) + 1);
	return writer->strings.num++;
}

static void recorded_names_writer_put_string(struct recorded_names_writer *writer,
					     struct string_builder *bytes, uint32_t string)
{
	uint32_t *number = &writer->strings.numbers[string];
	if (!*number)
		*number = add_string(writer, named_profile_text(writer->profile, string)) + 1;
	recorded_names_writer_put(bytes, *number - 1);
}

struct error *recorded_names_writer_init(struct recorded_names_writer *writer,
					 const struct named_profile *profile)
{
	*writer = (struct recorded_names_writer){.profile = profile};
	writer->strings.numbers = calloc(profile->strings.num_entries + 1, sizeof(uint32_t));
	writer->functions.numbers = calloc(profile->num_functions + 1, sizeof(uint32_t));
	if (!writer->strings.numbers || !writer->functions.numbers)
		return &error_no_memory;
	writer->strings.numbers[0] = add_string(writer, "") + 1;
	return NULL;
}

static void part_deinit(struct recorded_part *part)
{
	free(part->numbers);
	string_builder_deinit(&part->bytes);
}

void recorded_names_writer_deinit(struct recorded_names_writer *writer)
{
	part_deinit(&writer->strings);
	part_deinit(&writer->functions);
	string_builder_deinit(&writer->modules);
}

void recorded_names_writer_module(struct recorded_names_writer *writer, const struct module *module,
				  uint32_t named, size_t num_places)
{
	writer->num_modules++;
	writer->module = named;
	recorded_names_writer_put(&writer->modules, module->kind);
	recorded_names_writer_put(&writer->modules, module_is_of_process(module) ? module->pid : 0);
	recorded_names_writer_put(&writer->modules, add_string(writer, module->path));
	recorded_names_writer_put(&writer->modules, num_places);
}

/** As it stands in a symbol table, so that the reader's wishes decide how it looks. */
/** Its number; a function is written when it is used first. */
static uint32_t number_of_function(struct recorded_names_writer *writer, uint32_t index)
{
	uint32_t *number = &writer->functions.numbers[index];
	if (*number)
		return *number - 1;
	const struct named_profile *profile = writer->profile;
	const struct named_function *function = &profile->functions[index];
	struct string_builder *bytes = &writer->functions.bytes;
	bool is_elsewhere = function->module != writer->module && function->module != NAMED_NONE;
	// As it stands in a symbol table, so that the reader's wishes decide how it looks.
	recorded_names_writer_put_string(
		writer, bytes, function->linkage_name ? function->linkage_name : function->name);
	recorded_names_writer_put_string(
		writer, bytes, is_elsewhere ? profile->modules[function->module].path : 0);
	recorded_names_writer_put_string(writer, bytes, function->file);
	recorded_names_writer_put(bytes, function->line);
	recorded_names_writer_put(bytes, function->kind);
	*number = ++writer->functions.num;
	return *number - 1;
}

void recorded_names_writer_place(struct recorded_names_writer *writer, uint64_t distance,
				 const uint32_t *frames, size_t num_frames)
{
	struct string_builder *bytes = &writer->modules;
	recorded_names_writer_put(bytes, distance);
	recorded_names_writer_put(bytes, writer->profile->frames[frames[0]].address);
	recorded_names_writer_put(bytes, num_frames);
	for (size_t i = 0; i < num_frames; i++) {
		const struct named_frame *frame = &writer->profile->frames[frames[i]];
		recorded_names_writer_put(bytes, number_of_function(writer, frame->function));
		recorded_names_writer_put_string(writer, bytes, frame->file);
		recorded_names_writer_put(bytes, frame->line);
		recorded_names_writer_put(
			bytes, (frame->is_inlined ? RECORDED_FRAME_INLINED : 0) |
				       (frame->is_compiled ? RECORDED_FRAME_COMPILED : 0) |
				       frame->discriminator * RECORDED_FRAME_DISCRIMINATOR);
	}
}

static bool put_list(struct string_builder *ret, uint32_t num, const struct string_builder *bytes)
{
	recorded_names_writer_put(ret, num);
	if (bytes->length)
		string_builder_append_n(ret, bytes->text, bytes->length);
	return !bytes->failed;
}

struct error *recorded_names_writer_finish(struct recorded_names_writer *writer,
					   struct string_builder *ret)
{
	bool is_whole = put_list(ret, writer->strings.num, &writer->strings.bytes) &&
			put_list(ret, writer->functions.num, &writer->functions.bytes) &&
			put_list(ret, writer->num_modules, &writer->modules);
	return is_whole && !ret->failed ? NULL : &error_no_memory;
}
