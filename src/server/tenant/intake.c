// SPDX-License-Identifier: Apache-2.0
// The rate is kept by the "generic cell rate algorithm" (ITU-T I.371): one time says up to when all
// that came is paid for, at so many nanoseconds for each batch, and another one for each byte. It
// may be ten seconds ahead.
//
// Of names only a part of their hash is kept: they are as long as a sender likes.

#include "server/tenant/intake.h"

#include "base/container/string_table.h"
#include "base/text/string_builder.h"
#include "server/sha256.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define INTAKE_SECOND_NS UINT64_C(1000000000)
#define INTAKE_BURST_NS  (10 * INTAKE_SECOND_NS)

enum {
	INTAKE_KEY_SIZE = 32, // digits of a hash
	INTAKE_MAX_REPORTS = 100000,
};

struct intake {
	struct intake_limits limits;
	pthread_mutex_t lock;
	uint64_t paid_until_ns[INTAKE_NUM_UNITS];
	uint64_t num_dropped;
	struct string_table reports; // ids of batches that reported dropped ones
	struct string_table names;
	size_t num_services, num_labels;
	struct string_builder text;
	char key[SHA256_TEXT_SIZE];
};

struct error *intake_create(const struct intake_limits *limits, struct intake **ret)
{
	struct intake *intake = calloc(1, sizeof(*intake));
	if (!intake)
		return &error_no_memory;
	intake->limits = *limits;
	pthread_mutex_init(&intake->lock, NULL);
	*ret = intake;
	return NULL;
}

void intake_destroy(struct intake *intake)
{
	if (!intake)
		return;
	string_table_deinit(&intake->names);
	string_table_deinit(&intake->reports);
	string_builder_deinit(&intake->text);
	pthread_mutex_destroy(&intake->lock);
	free(intake);
}

/** @key: NULL: the service itself. False without memory. */
static bool intake_make_key(struct intake *intake, const char *service, const char *key,
			    const char *value)
{
	struct string_builder *text = &intake->text;
	string_builder_clear(text);
	string_builder_append_n(text, service, strlen(service) + 1);
	if (key) {
		string_builder_append_n(text, key, strlen(key) + 1);
		string_builder_append_n(text, value, strlen(value) + 1);
	}
	if (text->failed)
		return false;
	sha256_text(text->text, text->length, intake->key);
	intake->key[INTAKE_KEY_SIZE] = '\0';
	return true;
}

/** @max: of @num; more are an ERROR_ABSENT. */
static struct error *intake_add(struct intake *intake, size_t *num, size_t max)
{
	uint32_t id;
	if (string_table_find(&intake->names, intake->key) != HASH_TABLE_NONE)
		return NULL;
	if (*num >= max)
		return error_create(ERROR_ABSENT, "too many names");
	struct error *err = string_table_intern(&intake->names, intake->key, &id);
	*num += !err;
	return err;
}

static struct error *intake_add_service(struct intake *intake, const char *service, size_t max)
{
	if (!intake_make_key(intake, service, NULL, NULL))
		return &error_no_memory;
	return intake_add(intake, &intake->num_services, max);
}

static struct error *intake_add_label(struct intake *intake, const char *service, const char *key,
				      const char *value, size_t max)
{
	if (!intake_make_key(intake, service, key, value))
		return &error_no_memory;
	return intake_add(intake, &intake->num_labels, max);
}

struct error *intake_learn(struct intake *intake, const struct store_listing *listing)
{
	struct error *err = NULL;
	pthread_mutex_lock(&intake->lock);
	for (size_t i = 0; !err && i < listing->num_services; i++)
		err = intake_add_service(intake, listing->services[i].service, SIZE_MAX);
	for (size_t i = 0; !err && i < listing->num_labels; i++) {
		const struct store_listed_label *label = &listing->labels[i];
		err = intake_add_label(intake, label->service, label->key, label->value, SIZE_MAX);
	}
	pthread_mutex_unlock(&intake->lock);
	return err;
}

/** In nanoseconds of the tenant's time. */
static uint64_t intake_price(const struct intake *intake, enum intake_unit unit, size_t num)
{
	uint64_t per_s = intake->limits.per_s[unit];
	return num / per_s * INTAKE_SECOND_NS + num % per_s * INTAKE_SECOND_NS / per_s;
}

/** Seconds until so much is paid for that more may come. */
static uint32_t intake_wait(struct intake *intake, enum intake_unit unit, uint64_t now_ns)
{
	uint64_t *paid_until_ns = &intake->paid_until_ns[unit];
	if (*paid_until_ns < now_ns)
		*paid_until_ns = now_ns;
	uint64_t ahead_ns = *paid_until_ns - now_ns;
	return ahead_ns > INTAKE_BURST_NS
		       ? (uint32_t)((ahead_ns - INTAKE_BURST_NS) / INTAKE_SECOND_NS) + 1
		       : 0;
}

uint32_t intake_take(struct intake *intake, uint64_t now_ns, enum intake_unit *ret_unit)
{
	uint32_t longest = 0;
	pthread_mutex_lock(&intake->lock);
	for (int unit = 0; unit < INTAKE_NUM_UNITS; unit++) {
		uint32_t seconds = intake_wait(intake, unit, now_ns);
		if (seconds > longest) {
			longest = seconds;
			*ret_unit = unit;
		}
	}
	if (!longest)
		intake->paid_until_ns[INTAKE_BATCHES] += intake_price(intake, INTAKE_BATCHES, 1);
	pthread_mutex_unlock(&intake->lock);
	return longest;
}

void intake_charge(struct intake *intake, enum intake_unit unit, size_t num)
{
	pthread_mutex_lock(&intake->lock);
	intake->paid_until_ns[unit] += intake_price(intake, unit, num);
	pthread_mutex_unlock(&intake->lock);
}

static struct error *intake_refuse(struct error *err, const char *what, size_t limit,
				   const struct fleet_batch *batch)
{
	if (!err || err->code != ERROR_ABSENT)
		return err;
	error_destroy(err);
	return error_with_hint(error_create(ERROR_ABSENT,
					    "the store has %zu %s already, and takes no new ones; "
					    "service '%s' brings more",
					    limit, what, fleet_batch_label(batch, "service.name")),
			       "send labels with fewer values, or start the server with a larger "
			       "--max-%s",
			       what);
}

static struct error *intake_check_locked(struct intake *intake, const struct fleet_batch *batch)
{
	const char *service = fleet_batch_label(batch, "service.name");
	struct error *err = intake_add_service(intake, service, intake->limits.max_services);
	if (err)
		return intake_refuse(err, "services", intake->limits.max_services, batch);
	for (size_t i = 0; !err && i < batch->num_labels; i++)
		if (strcmp(batch->labels[i].key, "service.name") != 0)
			err = intake_add_label(intake, service, batch->labels[i].key,
					       batch->labels[i].value, intake->limits.max_labels);
	return intake_refuse(err, "labels", intake->limits.max_labels, batch);
}

struct error *intake_check_names(struct intake *intake, const struct fleet_batch *batch)
{
	pthread_mutex_lock(&intake->lock);
	struct error *err = intake_check_locked(intake, batch);
	pthread_mutex_unlock(&intake->lock);
	return err;
}

static struct error *intake_count_dropped_locked(struct intake *intake,
						 const struct fleet_batch *batch)
{
	uint32_t id;
	if (!intake_make_key(intake, batch->id, NULL, NULL))
		return &error_no_memory;
	if (string_table_find(&intake->reports, intake->key) != HASH_TABLE_NONE)
		return NULL;
	if (intake->reports.num_entries >= INTAKE_MAX_REPORTS)
		string_table_deinit(&intake->reports);
	struct error *err = string_table_intern(&intake->reports, intake->key, &id);
	if (!err)
		intake->num_dropped += batch->num_dropped;
	return err;
}

struct error *intake_count_dropped(struct intake *intake, const struct fleet_batch *batch)
{
	if (!batch->num_dropped)
		return NULL;
	pthread_mutex_lock(&intake->lock);
	struct error *err = intake_count_dropped_locked(intake, batch);
	pthread_mutex_unlock(&intake->lock);
	return err;
}

uint64_t intake_num_dropped(struct intake *intake)
{
	pthread_mutex_lock(&intake->lock);
	uint64_t num_dropped = intake->num_dropped;
	pthread_mutex_unlock(&intake->lock);
	return num_dropped;
}
