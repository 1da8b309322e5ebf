// SPDX-License-Identifier: Apache-2.0

#include "symbols/image_ids.h"

#include <stdlib.h>
#include <string.h>

// Two sorted lists of the same items, as recordings differ: ETW's maps have build ids after the
// recording was merged, those of wperf.exe have paths only. Of items with the same key the first in
// the recording is used; images with the same path but another build id are told apart by that.

static int image_ids_compare_build_ids(const struct record_build_id *a,
				       const struct record_build_id *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	return memcmp(a->bytes, b->bytes, a->size);
}

static int image_ids_order(const struct perf_data_pdb *a, const struct perf_data_pdb *b)
{
	return a < b ? -1 : a > b; // items of one array
}

static int compare_by_build_id(const void *left, const void *right)
{
	const struct perf_data_pdb *a = *(const struct perf_data_pdb *const *)left;
	const struct perf_data_pdb *b = *(const struct perf_data_pdb *const *)right;
	int order = image_ids_compare_build_ids(&a->build_id, &b->build_id);
	return order ? order : image_ids_order(a, b);
}

static int compare_by_path(const void *left, const void *right)
{
	const struct perf_data_pdb *a = *(const struct perf_data_pdb *const *)left;
	const struct perf_data_pdb *b = *(const struct perf_data_pdb *const *)right;
	int order = strcmp(a->path, b->path);
	return order ? order : image_ids_order(a, b);
}

struct error *image_ids_init(struct image_ids *ids, const struct perf_data_pdb *pdbs,
			     size_t num_pdbs)
{
	*ids = (struct image_ids)IMAGE_IDS_INIT;
	ids->by_build_id = calloc(num_pdbs + 1, sizeof(*ids->by_build_id));
	ids->by_path = calloc(num_pdbs + 1, sizeof(*ids->by_path));
	if (!ids->by_build_id || !ids->by_path)
		return &error_no_memory;
	for (size_t i = 0; i < num_pdbs; i++) {
		if (pdbs[i].build_id.size && pdbs[i].build_id.size <= RECORD_BUILD_ID_MAX)
			ids->by_build_id[ids->num_by_build_id++] = &pdbs[i];
		if (pdbs[i].path)
			ids->by_path[ids->num_by_path++] = &pdbs[i];
	}
	qsort(ids->by_build_id, ids->num_by_build_id, sizeof(*ids->by_build_id),
	      compare_by_build_id);
	qsort(ids->by_path, ids->num_by_path, sizeof(*ids->by_path), compare_by_path);
	return NULL;
}

void image_ids_deinit(struct image_ids *ids)
{
	free(ids->by_build_id);
	free(ids->by_path);
	*ids = (struct image_ids)IMAGE_IDS_INIT;
}

/** The first item that is not before @key, which itself is in no list. */
static const struct perf_data_pdb *image_ids_first(const struct perf_data_pdb *const *items,
						   size_t num,
						   int (*compare)(const struct perf_data_pdb *item,
								  const struct module *module),
						   const struct module *module)
{
	size_t low = 0;
	for (size_t high = num; low < high;) {
		size_t middle = low + (high - low) / 2;
		if (compare(items[middle], module) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < num && !compare(items[low], module) ? items[low] : NULL;
}

static int compare_item_build_id(const struct perf_data_pdb *item, const struct module *module)
{
	return image_ids_compare_build_ids(&item->build_id, &module->build_id);
}

static int compare_item_path(const struct perf_data_pdb *item, const struct module *module)
{
	return strcmp(item->path, module->path);
}

bool image_ids_find(const struct image_ids *ids, const struct module *module,
		    struct object_pdb *ret)
{
	const struct perf_data_pdb *found =
		module->build_id.size ? image_ids_first(ids->by_build_id, ids->num_by_build_id,
							compare_item_build_id, module)
				      : image_ids_first(ids->by_path, ids->num_by_path,
							compare_item_path, module);
	if (!found)
		return false;
	*ret = (struct object_pdb){
		.build_id_size = found->build_id.size,
		.age = found->age,
		.name = found->name,
		.image_time = found->image_time,
		.image_size = found->image_size,
	};
	memcpy(ret->build_id, found->build_id.bytes, sizeof(ret->build_id));
	return true;
}
