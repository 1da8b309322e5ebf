// SPDX-License-Identifier: Apache-2.0
// All rows are made of one answer of the store: one for each host would take a minute of thousands.

#include "server/page/page_hosts.h"

#include <string.h>

static const char page_hosts_key[] = "host.name";

/** Is it a host of the service that the query takes? */
static bool page_hosts_has(const struct store_listed_label *label, const struct store_query *wanted)
{
	if (!wanted->service || strcmp(label->service, wanted->service) != 0 ||
	    strcmp(label->key, page_hosts_key) != 0)
		return false;
	for (size_t i = 0; i < wanted->num_labels; i++)
		if (strcmp(wanted->labels[i].key, page_hosts_key) == 0 &&
		    strcmp(wanted->labels[i].value, label->value) != 0)
			return false;
	return true;
}

size_t page_hosts_count(const struct store_listing *listing, const struct store_query *wanted)
{
	size_t num = 0;
	for (size_t i = 0; i < listing->num_labels; i++)
		num += page_hosts_has(&listing->labels[i], wanted);
	return num ? num : 1;
}

/** The first of them by name. */
static struct error *page_hosts_list(struct page_view *view, const struct store_query *wanted,
				     struct fleet_page_hosts *hosts)
{
	const struct store_listing *listing = &view->listing;
	struct fleet_page_host *rows =
		arena_alloc_array(&view->arena, PAGE_HOSTS_MAX, sizeof(*rows));
	if (!rows)
		return &error_no_memory;
	hosts->hosts = rows;
	for (size_t i = 0; i < listing->num_labels; i++)
		if (!page_hosts_has(&listing->labels[i], wanted))
			continue;
		else if (hosts->num_hosts == PAGE_HOSTS_MAX)
			hosts->num_left_out++;
		else
			rows[hosts->num_hosts++].name = listing->labels[i].value;
	return NULL;
}

static struct error *page_hosts_weigh(struct page_view *view, struct page_map_range map,
				      const struct store_heats *heats,
				      struct fleet_page_hosts *hosts)
{
	static const struct store_heat no_heat = {0};
	for (size_t i = 0; i < hosts->num_hosts; i++) {
		struct fleet_page_host *host = &hosts->hosts[i];
		const struct store_heat *heat = store_heats_find(heats, host->name);
		host->weights = page_view_weights(view, map, heat ? heat : &no_heat);
		if (!host->weights)
			return &error_no_memory;
	}
	return NULL;
}

struct error *page_hosts_fill(struct page_view *view, const struct store_query *wanted,
			      const struct fleet_page_heat *all, struct page_map_range map,
			      const struct fleet_page_hosts **ret)
{
	struct store *store = view->call->store;
	struct fleet_page_hosts *hosts = arena_alloc_array(&view->arena, 1, sizeof(*hosts));
	_cleanup_(store_heats_deinit) struct store_heats heats = {0};
	if (!hosts)
		return &error_no_memory;
	*hosts = (struct fleet_page_hosts){
		.event = all->event,
		.unit = all->unit,
		.start_ns = map.range.from_ns,
		.step_ns = map.step_ns,
		.num_steps = page_map_num_steps(map),
	};
	struct error *err = page_hosts_list(view, wanted, hosts);
	*ret = NULL;
	if (err || !hosts->num_hosts)
		return err;
	const struct store_query query = page_view_map_query(wanted, all->event, map);
	const struct store_label_range range = {
		.key = page_hosts_key,
		.first = hosts->hosts[0].name,
		.last = hosts->hosts[hosts->num_hosts - 1].name,
	};
	err = store->ops->heats(store, &query, &range, &heats);
	if (!err)
		err = page_hosts_weigh(view, map, &heats, hosts);
	*ret = hosts;
	return err;
}
