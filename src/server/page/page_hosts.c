// SPDX-License-Identifier: Apache-2.0
#include "server/page/page_hosts.h"

#include <string.h>

static const char page_hosts_key[] = "host.name";

static const char *page_hosts_chosen(const struct store_query *wanted)
{
	for (size_t i = 0; i < wanted->num_labels; i++)
		if (strcmp(wanted->labels[i].key, page_hosts_key) == 0)
			return wanted->labels[i].value;
	return NULL;
}

/** Is it a host of the service that the query takes? */
static bool page_hosts_has(const struct store_listed_label *label, const struct store_query *wanted,
			   const char *chosen)
{
	return strcmp(label->key, page_hosts_key) == 0 &&
	       strcmp(label->service, wanted->service) == 0 &&
	       (!chosen || strcmp(label->value, chosen) == 0);
}

static struct error *page_hosts_add(struct page_view *view, const struct store_query *wanted,
				    const char *name, struct page_map_range map,
				    struct fleet_page_hosts *hosts, struct fleet_page_host *host)
{
	struct store_query query = *wanted;
	struct fleet_label *labels =
		arena_alloc_array(&view->arena, wanted->num_labels + 1, sizeof(*labels));
	if (!labels)
		return &error_no_memory;
	query.labels = labels;
	query.num_labels = 0;
	for (size_t i = 0; i < wanted->num_labels; i++)
		if (strcmp(wanted->labels[i].key, page_hosts_key) != 0)
			labels[query.num_labels++] = wanted->labels[i];
	labels[query.num_labels++] = (struct fleet_label){(char *)page_hosts_key, (char *)name};
	const struct fleet_page_heat *heat = NULL;
	struct error *err = page_view_heat(view, &query, map, &heat);
	if (err || !heat)
		return err;
	*host = (struct fleet_page_host){name, heat->weights};
	hosts->event = heat->event;
	hosts->unit = heat->unit;
	hosts->start_ns = heat->start_ns;
	hosts->step_ns = heat->step_ns;
	hosts->num_steps = heat->num_steps;
	return NULL;
}

struct error *page_hosts_fill(struct page_view *view, const struct store_query *wanted,
			      struct page_map_range map, const struct fleet_page_hosts **ret)
{
	const struct store_listing *listing = &view->listing;
	const char *chosen = page_hosts_chosen(wanted);
	struct fleet_page_hosts *hosts = arena_alloc_array(&view->arena, 1, sizeof(*hosts));
	struct fleet_page_host *rows =
		arena_alloc_array(&view->arena, PAGE_HOSTS_MAX, sizeof(*rows));
	if (!hosts || !rows)
		return &error_no_memory;
	*hosts = (struct fleet_page_hosts){.hosts = rows};
	struct error *err = NULL;
	for (size_t i = 0; !err && i < listing->num_labels; i++) {
		const struct store_listed_label *label = &listing->labels[i];
		if (!page_hosts_has(label, wanted, chosen))
			continue;
		if (hosts->num_hosts == PAGE_HOSTS_MAX) {
			hosts->num_left_out++;
			continue;
		}
		err = page_hosts_add(view, wanted, label->value, map, hosts,
				     &rows[hosts->num_hosts]);
		hosts->num_hosts += !err && rows[hosts->num_hosts].name;
	}
	*ret = hosts->num_hosts ? hosts : NULL;
	return err;
}
