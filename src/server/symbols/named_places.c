// SPDX-License-Identifier: Apache-2.0
// A place is asked for its names as the symbolizer does it (symbols/place_namer.h), with two
// differences: the file is given, and addresses are those of its symbols already, as a profile has
// them (struct module, has_addresses). Functions and frames go into the same profile, which drops
// those that they replace at the end.
//
// Frames with a line are complete. So is a frame into which others were inlined, since who knew
// them knew its line: its own is missing because the compiler wrote none.

#include "server/symbols/named_places.h"

#include "base/container/array.h"
#include "profile/stored/frame_replacement.h"
#include "symbols/symbolizer_config.h"

#include <stdlib.h>
#include <string.h>

static bool named_places_may_name(const struct named_profile *profile,
				  const struct named_frame *frame)
{
	const struct named_function *function = &profile->functions[frame->function];
	return function->kind == FRAME_NATIVE && function->module != NAMED_NONE &&
	       profile->modules[function->module].build_id && frame->address && !frame->line &&
	       !frame->is_inlined;
}

/** Marks the frames into which others of the same address were inlined. */
static void named_places_mark_outer(const struct named_profile *profile, bool *is_outer)
{
	const struct stack_table *stacks = &profile->stacks;
	for (size_t i = 0; i < stacks->num_nodes; i++) {
		const struct named_frame *frame = &profile->frames[stacks->nodes[i].frame];
		uint32_t parent = stacks->nodes[i].parent;
		if (frame->is_inlined && parent != STACK_NONE)
			is_outer[stacks->nodes[parent].frame] = true;
	}
}

static int named_places_compare(const void *left, const void *right)
{
	const struct named_place *a = left, *b = right;
	if (a->module != b->module)
		return a->module < b->module ? -1 : 1;
	return a->frame < b->frame ? -1 : a->frame > b->frame;
}

struct error *named_places_find(struct named_places *places, struct named_profile *profile)
{
	static const struct symbolizer_config config = {.with_lines = true};
	_cleanup_free_ bool *is_outer = calloc(profile->num_frames + 1, sizeof(*is_outer));
	*places = (struct named_places){.profile = profile, .num_frames = profile->num_frames};
	places->frames = calloc(profile->num_frames + 1, sizeof(*places->frames));
	struct error *err = place_namer_init(&places->namer, &config);
	if (!err && (!is_outer || !places->frames))
		err = &error_no_memory;
	if (err)
		return err;
	named_places_mark_outer(profile, is_outer);
	for (uint32_t i = 0; !err && i < profile->num_frames; i++) {
		const struct named_frame *frame = &profile->frames[i];
		if (is_outer[i] || !named_places_may_name(profile, frame))
			continue;
		err = array_reserve(&places->places, &places->cap_places, places->num_places + 1);
		if (!err)
			places->places[places->num_places++] =
				(struct named_place){i, profile->functions[frame->function].module};
	}
	if (!err && places->num_places)
		qsort(places->places, places->num_places, sizeof(*places->places),
		      named_places_compare);
	return err;
}

void named_places_deinit(struct named_places *places)
{
	place_namer_deinit(&places->namer);
	free(places->places);
	free(places->frames);
	*places = (struct named_places)NAMED_PLACES_INIT;
}

size_t named_places_count(const struct named_places *places, size_t first)
{
	size_t end = first;
	while (end < places->num_places &&
	       places->places[end].module == places->places[first].module)
		end++;
	return end - first;
}

static struct error *named_places_name_one(struct named_places *places, struct known_module *known,
					   uint32_t frame)
{
	struct place_namer *namer = &places->namer;
	size_t first = namer->num_frames;
	uint64_t num_unknown = known->num_unknown;
	uint64_t address = places->profile->frames[frame].address;
	struct error *err = place_namer_add(namer, places->profile, known, address);
	if (err)
		return err;
	bool is_same = namer->num_frames == first + 1 && namer->frames[first] == frame;
	if (known->num_unknown != num_unknown || is_same) {
		namer->num_frames = first; // what the frame has says as much
		return NULL;
	}
	places->frames[frame] = (struct named_place_frames){first, namer->num_frames - first};
	places->has_new = true;
	return NULL;
}

struct error *named_places_name(struct named_places *places, size_t first, size_t num,
				struct object *object)
{
	uint32_t module = places->places[first].module;
	const struct named_module *named = &places->profile->modules[module];
	// Texts of the profile move when it gets more.
	_cleanup_free_ char *path = strdup(named_profile_text(places->profile, named->path));
	if (!path)
		return &error_no_memory;
	struct known_module known = {
		.module = {.kind = MODULE_FILE, .has_addresses = true, .path = path},
		.named = module,
		.unknown = NAMED_NONE,
		.was_opened = true,
		.has_told_build = true,
		.object = object,
	};
	struct error *err = NULL;
	for (size_t i = first; !err && i < first + num; i++)
		err = named_places_name_one(places, &known, places->places[i].frame);
	// Damaged tables name nothing; the frames stay as they are.
	error_destroy(known.refusal);
	return err;
}

/** @ret: is any module another build of a path that is there already? */
static struct error *named_places_find_builds(const struct named_profile *profile, bool *ret)
{
	_cleanup_free_ bool *is_known = calloc(profile->strings.num_entries + 1, sizeof(*is_known));
	*ret = false;
	if (!is_known)
		return &error_no_memory;
	for (size_t i = 0; i < profile->num_modules; i++) {
		bool *known = &is_known[profile->modules[i].path];
		*ret |= *known;
		*known = true;
	}
	return NULL;
}

struct error *named_places_finish(struct named_places *places)
{
	bool has_builds;
	struct error *err = named_places_find_builds(places->profile, &has_builds);
	if (err || (!places->has_new && !has_builds))
		return err;
	_cleanup_free_ struct frame_replacement *replacements =
		calloc(places->num_frames + 1, sizeof(*replacements));
	if (!replacements)
		return &error_no_memory;
	for (size_t i = 0; i < places->num_frames; i++)
		replacements[i] = (struct frame_replacement){
			places->namer.frames + places->frames[i].first, places->frames[i].num};
	return frame_replacement_apply(places->profile, replacements, places->num_frames);
}
