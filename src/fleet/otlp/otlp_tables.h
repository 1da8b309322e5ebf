/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WPERF_FLEET_OTLP_OTLP_TABLES_H
#define WPERF_FLEET_OTLP_OTLP_TABLES_H

/**
 * The dictionary of a request that is read: where each entry of its tables is. What an entry means
 * is found when something refers to it, for each batch anew (otlp_names.h).
 *
 * Many batches may refer to the same large entries, so that a small request could take any time.
 * Whoever reads an entry pays for its bytes by otlp_tables_spend(); what a request may spend is
 * proportional to its size.
 */

#include "base/error.h"
#include "base/reader.h"
#include "fleet/otlp/otlp_fields.h"
#include "fleet/otlp/otlp_key.h"

#include <stddef.h>
#include <stdint.h>

struct otlp_entry {
	uint32_t offset, size; /* in the bytes of the request */
	uint32_t batch, item;  /* item: what otlp_names.h made of it for the batch of this number */
};

/** The value of an attribute. */
enum otlp_value_type {
	OTLP_IS_NOTHING, /* or a list, or another thing that is not understood */
	OTLP_IS_TEXT,
	OTLP_IS_NUMBER, /* also a bool */
	OTLP_IS_REAL,
};

struct otlp_value {
	enum otlp_value_type type;
	uint64_t number;
	double real;
	struct otlp_entry text;
};

struct otlp_attribute {
	enum otlp_key key;
	struct otlp_value value;
};

struct otlp_tables {
	const uint8_t *bytes; /* of the request; not owned */
	size_t size;
	uint64_t budget;
	struct {
		struct otlp_entry *entries;
		size_t num_entries, cap_entries;
	} tables[OTLP_NUM_TABLES];
	struct otlp_attribute *attributes; /* as many as entries of their table */
};

#define OTLP_TABLES_INIT \
	{                \
	}

/** @bytes: of the whole request, must outlive the tables. */
struct error *otlp_tables_read(struct otlp_tables *tables, const void *bytes, size_t size);
void otlp_tables_deinit(struct otlp_tables *tables);

/** The error of a request that costs too much, or NULL. */
struct error *otlp_tables_spend(struct otlp_tables *tables, uint64_t cost);

/** Pay for an entry, and give it. @ret_entry: valid as long as the tables. */
struct error *otlp_tables_entry(struct otlp_tables *tables, enum otlp_table table, uint64_t number,
				struct otlp_entry **ret_entry);

/** The bytes of an entry. */
struct reader otlp_tables_bytes(const struct otlp_tables *tables, const struct otlp_entry *entry);

/** An attribute of the table. */
struct error *otlp_tables_attribute(struct otlp_tables *tables, uint64_t number,
				    struct otlp_attribute **ret);

/** Read an AnyValue. */
struct error *otlp_tables_value(struct otlp_tables *tables, struct reader bytes,
				struct otlp_value *ret);

/** The error of bytes that are no message of this kind. @what: "sample". */
struct error *otlp_tables_damage(const char *what) __attribute__((returns_nonnull));

/** The hint of requests with numbers of before release 1.10. */
struct error *otlp_tables_old(struct error *err) __attribute__((returns_nonnull));

#endif
