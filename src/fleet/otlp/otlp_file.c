// SPDX-License-Identifier: Apache-2.0

#include "fleet/otlp/otlp_file.h"

#include "base/file/file_map.h"
#include "fleet/gzip_reader.h"

#include <stdlib.h>

static struct error *otlp_file_decode(const struct file_map *map, struct otlp_batches *ret)
{
	_cleanup_free_ uint8_t *unpacked = NULL;
	size_t size;
	if (!gzip_reader_is_gzip(map->data, map->size))
		return otlp_decoder_decode(map->data, map->size, OTLP_BATCH_ALL, ret);
	struct error *err =
		gzip_reader_unpack(map->data, map->size, OTLP_MAX_BYTES, &unpacked, &size);
	return err ? err : otlp_decoder_decode(unpacked, size, OTLP_BATCH_ALL, ret);
}

static struct error *otlp_file_read_map(const struct file_map *map, const char *path,
					struct otlp_batches *ret)
{
	_cleanup_(error_destroyp) struct error *err = otlp_file_decode(map, ret);
	if (err == &error_no_memory)
		return &error_no_memory;
	if (!err)
		return NULL;
	struct error *named =
		error_create(ERROR_FAILED, "cannot read '%s': %s", path, err->message);
	return err->hint ? error_with_hint(named, "%s", err->hint) : named;
}

struct error *otlp_file_read(const char *path, bool is_forced, struct fleet_batch *ret)
{
	_cleanup_(file_map_close) struct file_map map = FILE_MAP_INIT;
	_cleanup_(otlp_batches_deinit) struct otlp_batches batches = OTLP_BATCHES_INIT;
	struct error *err = file_map_open(&map, path);
	if (err)
		return err;
	if (!is_forced && file_map_is_of_stranger(&map))
		return error_with_hint(error_create(ERROR_FAILED,
						    "'%s' is not owned by you or root", path),
				       "if you trust who made it: -f");
	err = otlp_file_read_map(&map, path, &batches);
	if (err)
		return err;
	if (!batches.batches)
		return error_create(ERROR_FAILED, "cannot read '%s': it has no profiles", path);
	*ret = batches.batches[0];
	batches.num_batches = 0;
	return NULL;
}
