// SPDX-License-Identifier: Apache-2.0

#include "session/family.h"

#include "base/container/array.h"
#include "base/container/bisect.h"

#include <stdlib.h>
#include <string.h>

// Members are sorted by pid, and those of the same pid by begin: a pid that was reused has several
// entries, of which at most the last one runs. family_follow() compares them with a list of all
// processes. Members that are not in it, or have another birth time, have ended. A process is a
// child of a member if its parent's pid was that member's when it was born; births tell a parent
// from another process that had or has its pid. Passes repeat until one adds nothing, because the
// list is in no useful order.
//
// An example: the target 100 starts 101, which starts 102 and ends. Then another process gets the
// pid 101 and starts 103. In the list, 102 and 103 have the same parent 101, as Windows keeps the
// pid of a parent that has ended. But 102 was born before the process that is 101 now, and while
// the member 101 was alive: it is a member. The parent of 103 has another birth time than the
// member 101, so 103 is none.

/** Behind all members of this number. */
static size_t find_end(const struct family *family, uint32_t pid)
{
	return family->num_members ? bisect_u32(&family->members->pid, family->num_members,
						sizeof(*family->members), pid)
				   : 0;
}

/** The last one of this number that began, or NULL. */
static struct family_member *find_last(const struct family *family, uint32_t pid)
{
	size_t end = find_end(family, pid);
	return end && family->members[end - 1].pid == pid ? &family->members[end - 1] : NULL;
}

static bool is_another(const struct family_member *member, uint64_t birth_ns)
{
	return member->birth_ns && birth_ns && member->birth_ns != birth_ns;
}

struct error *family_add(struct family *family, uint32_t pid, uint64_t birth_ns, uint64_t began_ns)
{
	struct family_member *last = find_last(family, pid);
	if (last && last->ended_ns == FAMILY_RUNS && !is_another(last, birth_ns))
		return NULL;
	if (last && last->ended_ns == FAMILY_RUNS)
		last->ended_ns = began_ns;
	struct error *err =
		array_reserve(&family->members, &family->cap_members, family->num_members + 1);
	if (err)
		return err;
	size_t place = find_end(family, pid);
	struct family_member *member = &family->members[place];
	memmove(member + 1, member, (family->num_members - place) * sizeof(*member));
	family->num_members++;
	*member = (struct family_member){.pid = pid, .birth_ns = birth_ns, .began_ns = began_ns};
	return NULL;
}

void family_end(struct family *family, uint32_t pid, uint64_t ended_ns)
{
	struct family_member *last = find_last(family, pid);
	if (last && last->ended_ns == FAMILY_RUNS)
		last->ended_ns = ended_ns;
}

bool family_has(const struct family *family, uint32_t pid, uint64_t time_ns)
{
	size_t end = find_end(family, pid);
	while (end-- > 0 && family->members[end].pid == pid) {
		const struct family_member *member = &family->members[end];
		if (member->began_ns <= time_ns &&
		    (member->ended_ns == FAMILY_RUNS || time_ns <= member->ended_ns))
			return true;
	}
	return false;
}

/** The first members are added without birth times. The list of processes has them. */
static void see_members(struct family *family, const struct family_sight *sight)
{
	for (size_t i = 0; i < family->num_members; i++) {
		struct family_member *member = &family->members[i];
		const struct process_origin *origin =
			process_origin_find(sight->origins, sight->num_origins, member->pid);
		if (member->ended_ns != FAMILY_RUNS)
			continue;
		if (!origin || is_another(member, origin->birth_ns))
			member->ended_ns = sight->now_ns;
		else
			member->birth_ns = origin->birth_ns;
	}
}

static uint64_t family_began_ns(const struct process_origin *origin,
				const struct family_sight *sight)
{
	uint64_t age_ns = sight->wall_ns > origin->birth_ns ? sight->wall_ns - origin->birth_ns : 0;
	return sight->now_ns > age_ns ? sight->now_ns - age_ns : 0;
}

/** If the process with the parent's pid is younger than the child, the pid was reused, and the
 * parent had it before. */
static bool family_is_child(const struct family *family, const struct process_origin *origin,
			    const struct family_sight *sight)
{
	const struct process_origin *parent =
		process_origin_find(sight->origins, sight->num_origins, origin->parent);
	if (parent && parent->birth_ns > origin->birth_ns)
		parent = NULL; // it has ended
	size_t end = origin->birth_ns ? find_end(family, origin->parent) : 0;
	while (end-- > 0 && family->members[end].pid == origin->parent) {
		const struct family_member *member = &family->members[end];
		bool is_it = parent ? member->birth_ns == parent->birth_ns
				    : member->birth_ns <= origin->birth_ns &&
					      member->ended_ns >= family_began_ns(origin, sight);
		if (is_it)
			return true;
	}
	return false;
}

static struct error *family_add_children(struct family *family, const struct family_sight *sight)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < sight->num_origins; i++) {
		const struct process_origin *origin = &sight->origins[i];
		const struct family_member *last = find_last(family, origin->pid);
		bool is_member = last && last->ended_ns == FAMILY_RUNS;
		if (!is_member && family_is_child(family, origin, sight))
			err = family_add(family, origin->pid, origin->birth_ns,
					 family_began_ns(origin, sight));
	}
	return err;
}

struct error *family_follow(struct family *family, const struct family_sight *sight)
{
	struct error *err = NULL;
	see_members(family, sight);
	// Children of children may stand before these in the list.
	for (size_t before = SIZE_MAX; !err && before != family->num_members;) {
		before = family->num_members;
		err = family_add_children(family, sight);
	}
	return err;
}

void family_forget(struct family *family, uint64_t time_ns)
{
	size_t num_left = 0;
	for (size_t i = 0; i < family->num_members; i++) {
		const struct family_member *member = &family->members[i];
		if (member->ended_ns == FAMILY_RUNS || member->ended_ns >= time_ns)
			family->members[num_left++] = *member;
	}
	family->num_members = num_left;
}

void family_deinit(struct family *family)
{
	free(family->members);
	*family = (struct family)FAMILY_INIT;
}
