// SPDX-License-Identifier: Apache-2.0

#include "profile/interpreted/interpreted_function.h"

#include "base/file/file_name.h"

// How an interpreter's function becomes a frame: its file is its module as well, so that lists by
// module show files where native code has libraries. It has no address, as the same line may run at
// any address of the interpreter. The line in the function is the first of its definition, which
// tells apart functions with one name in one file.

struct error *interpreted_function_frame(struct named_profile *profile,
					 const struct interpreted_function *function, uint32_t line,
					 bool is_compiled, uint32_t *ret)
{
	struct named_module module = {0};
	struct named_function named = {.line = function->first_line, .kind = FRAME_INTERPRETED};
	struct named_frame frame = {.line = line, .is_compiled = is_compiled};
	struct error *err = named_profile_string(profile, function->name, &named.name);
	if (!err)
		err = named_profile_string(profile, function->file, &named.file);
	if (!err)
		err = named_profile_string(profile, file_name_of(function->file), &module.name);
	module.path = frame.file = named.file;
	if (!err)
		err = named_profile_module(profile, &module, &named.module);
	if (!err)
		err = named_profile_function(profile, &named, &frame.function);
	return err ? err : named_profile_frame(profile, &frame, ret);
}
