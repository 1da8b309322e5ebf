// SPDX-License-Identifier: Apache-2.0
// A line is "HIERARCHY:CONTROLLERS:PATH" (cgroups(7)): of version 2 there is one, "0::PATH", of
// version 1 one for each hierarchy. Each folder of each path is looked at by itself, the outer ones
// first, so that what is further inside replaces it:
//
//	nginx.service                                  a unit of systemd
//	docker-ID.scope, cri-containerd-ID.scope,
//	crio-ID.scope, libpod-ID.scope, ID             a container, whose ID is 64 hex digits
//	kubepods-burstable-podUUID.slice, podUUID      a pod; systemd's names have '_' for '-'
//
// user@1000.service has the services of a user inside. Monitors of containers (conmon) have the ID
// of their container in the name of their own group: they are not in the container.

#include "agent/cgroup_names.h"

#include "base/text/utf8.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { ID_LENGTH = CGROUP_NAMES_ID_SIZE - 1, POD_LENGTH = CGROUP_NAMES_POD_SIZE - 1 };

/** A part of the text. */
struct cgroup_part {
	const char *text;
	size_t length;
};

static bool cgroup_part_cut_end(struct cgroup_part *part, const char *end)
{
	size_t length = strlen(end);
	if (part->length <= length || memcmp(part->text + part->length - length, end, length) != 0)
		return false;
	part->length -= length;
	return true;
}

/** What fits, without control characters and bytes that are not UTF-8. */
static void cgroup_names_copy(const struct cgroup_part *part, char *ret, size_t size)
{
	size_t length = 0;
	for (size_t i = 0; i < part->length;) {
		uint32_t code_point = UTF8_REPLACEMENT;
		size_t taken = utf8_sequence(part->text + i, part->length - i, &code_point);
		i += taken ? taken : 1;
		char bytes[UTF8_MAX_BYTES];
		bool is_control = code_point < ' ' || (code_point >= 0x7f && code_point < 0xa0);
		size_t num_bytes = utf8_encode(is_control ? '_' : code_point, bytes);
		if (length + num_bytes >= size)
			break;
		memcpy(ret + length, bytes, num_bytes);
		length += num_bytes;
	}
	ret[length] = '\0';
}

static void cgroup_names_take_unit(struct cgroup_part part, struct cgroup_names *ret)
{
	if (cgroup_part_cut_end(&part, ".service"))
		cgroup_names_copy(&part, ret->unit, sizeof(ret->unit));
}

static bool cgroup_names_is_hex(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if (!isxdigit((unsigned char)text[i]))
			return false;
	return true;
}

static void cgroup_names_take_container(struct cgroup_part part, struct cgroup_names *ret)
{
	static const char monitor[] = "conmon-";
	size_t monitor_length = strlen(monitor);
	cgroup_part_cut_end(&part, ".scope");
	if (part.length < ID_LENGTH)
		return;
	const char *id = part.text + part.length - ID_LENGTH;
	bool is_whole = id == part.text || id[-1] == '-' || id[-1] == ':';
	bool is_monitor = part.length >= ID_LENGTH + monitor_length &&
			  memcmp(id - monitor_length, monitor, monitor_length) == 0;
	if (!is_whole || is_monitor || !cgroup_names_is_hex(id, ID_LENGTH))
		return;
	memcpy(ret->container, id, ID_LENGTH);
	ret->container[ID_LENGTH] = '\0';
}

/** @text: POD_LENGTH bytes. */
static bool cgroup_names_is_uuid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";
	for (size_t i = 0; i < POD_LENGTH; i++) {
		bool is_right = form[i] == 'x' ? isxdigit((unsigned char)text[i]) != 0
					       : text[i] == '-' || text[i] == '_';
		if (!is_right)
			return false;
	}
	return true;
}

static void cgroup_names_take_pod(struct cgroup_part part, struct cgroup_names *ret)
{
	static const char word[] = "pod";
	size_t word_length = strlen(word);
	cgroup_part_cut_end(&part, ".slice");
	if (part.length < word_length + POD_LENGTH)
		return;
	const char *pod = part.text + part.length - POD_LENGTH;
	const char *start = pod - word_length;
	if (memcmp(start, word, word_length) != 0 || !cgroup_names_is_uuid(pod) ||
	    (start != part.text && start[-1] != '-'))
		return;
	for (size_t i = 0; i < POD_LENGTH; i++)
		ret->pod[i] = pod[i] == '_' ? '-' : pod[i];
	ret->pod[POD_LENGTH] = '\0';
}

static void cgroup_names_take_path(struct cgroup_part path, struct cgroup_names *ret)
{
	while (path.length) {
		const char *slash = memchr(path.text, '/', path.length);
		size_t length = slash ? (size_t)(slash - path.text) : path.length;
		struct cgroup_part part = {path.text, length};
		cgroup_names_take_unit(part, ret);
		cgroup_names_take_container(part, ret);
		cgroup_names_take_pod(part, ret);
		size_t taken = length + (slash != NULL);
		path = (struct cgroup_part){path.text + taken, path.length - taken};
	}
}

static void cgroup_names_take_line(struct cgroup_part line, struct cgroup_names *ret)
{
	for (int i = 0; i < 2; i++) {
		const char *colon = memchr(line.text, ':', line.length);
		if (!colon)
			return;
		line.length -= (size_t)(colon + 1 - line.text);
		line.text = colon + 1;
	}
	cgroup_names_take_path(line, ret);
}

void cgroup_names_parse(const char *text, size_t size, struct cgroup_names *ret)
{
	*ret = (struct cgroup_names){.unit = ""};
	if (size > CGROUP_NAMES_MAX_TEXT)
		size = CGROUP_NAMES_MAX_TEXT;
	while (size) {
		const char *end = memchr(text, '\n', size);
		size_t length = end ? (size_t)(end - text) : size;
		cgroup_names_take_line((struct cgroup_part){text, length}, ret);
		size_t taken = length + (end != NULL);
		text += taken;
		size -= taken;
	}
}
