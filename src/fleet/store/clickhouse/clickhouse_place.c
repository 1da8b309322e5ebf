// SPDX-License-Identifier: Apache-2.0
// User and password may have what is none of an address as %XX (RFC 3986, 2.1). They go into
// headers, so that no line end may be in them.

#include "fleet/store/clickhouse/clickhouse_place.h"

#include "base/text/ascii.h"
#include "base/text/number.h"
#include "base/text/string_builder.h"

#include <stdlib.h>
#include <string.h>

void clickhouse_place_deinit(struct clickhouse_place *place)
{
	free(place->url);
	free(place->database);
	free(place->cluster);
	free(place->user);
	free(place->password);
	free(place->name);
	*place = (struct clickhouse_place){0};
}

/** The words of the user are not repeated: a password may be in them. */
static struct error *clickhouse_place_refuse(const char *what)
{
	return error_with_hint(
		error_create(ERROR_USAGE, "the address of ClickHouse has %s", what),
		"write clickhouse://[USER[:PASSWORD]@]HOST[:PORT]/DATABASE[?cluster=NAME]");
}

static struct error *clickhouse_place_decode(const char *text, size_t length, char **ret)
{
	_cleanup_(string_builder_deinit) struct string_builder decoded = STRING_BUILDER_INIT;
	for (size_t i = 0; i < length; i++) {
		uint64_t code = (unsigned char)text[i];
		if (text[i] == '%') {
			if (length - i < 3 ||
			    number_parse_hex(text + i + 1, 2, false, &code) != NUMBER_OK)
				return clickhouse_place_refuse("a '%' without two hex digits");
			i += 2;
		}
		if (code < ' ' || code == 0x7f)
			return clickhouse_place_refuse("a control character");
		string_builder_append_char(&decoded, (char)code);
	}
	return string_builder_finish(&decoded, ret);
}

static bool clickhouse_place_is_letter(char c)
{
	return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

/** HOST, HOST:PORT, [IPv6]:PORT. */
static bool clickhouse_place_is_host(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!ascii_is_digit(text[i]) && !clickhouse_place_is_letter(text[i]) &&
		    !strchr("-._[]:", text[i]))
			return false;
	return length;
}

static bool clickhouse_place_has_port(const char *text, size_t length)
{
	while (length && ascii_is_digit(text[length - 1]))
		length--;
	return length && text[length - 1] == ':';
}

static bool clickhouse_place_is_word(const char *text, size_t length, const char *others)
{
	if (!length || (!clickhouse_place_is_letter(*text) && *text != '_'))
		return false;
	for (size_t i = 0; i < length; i++)
		if (!clickhouse_place_is_letter(text[i]) && !ascii_is_digit(text[i]) &&
		    !strchr(others, text[i]))
			return false;
	return true;
}

/** @text: DATABASE[?cluster=NAME]. */
static struct error *clickhouse_place_set_database(struct clickhouse_place *place, const char *text)
{
	static const char setting[] = "?cluster=";
	const char *end = strchr(text, '?');
	size_t length = end ? (size_t)(end - text) : strlen(text);
	if (!clickhouse_place_is_word(text, length, "_"))
		return clickhouse_place_refuse("no name of a database, of letters, digits and '_'");
	place->database = strndup(text, length);
	if (!place->database)
		return &error_no_memory;
	if (!end)
		return NULL;
	if (strncmp(end, setting, strlen(setting)) != 0)
		return clickhouse_place_refuse("something else than '?cluster=NAME' behind the "
					       "database");
	end += strlen(setting);
	if (!clickhouse_place_is_word(end, strlen(end), "_-"))
		return clickhouse_place_refuse("no name of a cluster, of letters, digits, '_' and "
					       "'-'");
	place->cluster = strdup(end);
	return place->cluster ? NULL : &error_no_memory;
}

/** @host: HOST:PORT. */
static struct error *clickhouse_place_set_host(struct clickhouse_place *place, const char *host,
					       size_t length, bool is_secure)
{
	_cleanup_(string_builder_deinit) struct string_builder url = STRING_BUILDER_INIT;
	_cleanup_(string_builder_deinit) struct string_builder name = STRING_BUILDER_INIT;
	// The ports of the default configuration.
	const char *port = clickhouse_place_has_port(host, length) ? ""
			   : is_secure                             ? ":8443"
								   : ":8123";
	string_builder_appendf(&url, "http%s://%.*s%s/", is_secure ? "s" : "", (int)length, host,
			       port);
	string_builder_appendf(&name, "clickhouse%s://%.*s%s/%s%s%s", is_secure ? "s" : "",
			       (int)length, host, port, place->database,
			       place->cluster ? "?cluster=" : "",
			       place->cluster ? place->cluster : "");
	struct error *err = string_builder_finish(&url, &place->url);
	return err ? err : string_builder_finish(&name, &place->name);
}

/** @words: USER:PASSWORD. */
static struct error *clickhouse_place_set_user(struct clickhouse_place *place, const char *words,
					       size_t length)
{
	const char *colon = memchr(words, ':', length);
	size_t user = colon ? (size_t)(colon - words) : length;
	struct error *err = clickhouse_place_decode(words, user, &place->user);
	if (err || !colon)
		return err;
	return clickhouse_place_decode(colon + 1, length - user - 1, &place->password);
}

static struct error *clickhouse_place_fill(struct clickhouse_place *place, const char *text,
					   bool is_secure)
{
	if (strncmp(text, "//", 2) != 0)
		return clickhouse_place_refuse("no '//'");
	const char *host = text + 2, *slash = strchr(host, '/');
	const char *at = NULL;
	struct error *err = clickhouse_place_set_database(place, slash ? slash + 1 : "");
	if (err)
		return err;
	for (const char *c = host; c < slash; c++)
		at = *c == '@' ? c : at;
	if (at)
		err = clickhouse_place_set_user(place, host, (size_t)(at - host));
	host = at ? at + 1 : host;
	if (!err && !clickhouse_place_is_host(host, (size_t)(slash - host)))
		err = clickhouse_place_refuse("no name of a host");
	return err ? err
		   : clickhouse_place_set_host(place, host, (size_t)(slash - host), is_secure);
}

struct error *clickhouse_place_parse(const char *text, bool is_secure, struct clickhouse_place *ret)
{
	_cleanup_(clickhouse_place_deinit) struct clickhouse_place place = {0};
	struct error *err = clickhouse_place_fill(&place, text, is_secure);
	if (err)
		return err;
	*ret = place;
	place = (struct clickhouse_place){0};
	return NULL;
}
