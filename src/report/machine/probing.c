// SPDX-License-Identifier: Apache-2.0
// Every source is probed, also those that cannot work here, so that a user sees what is missing for
// them. A probe reports abilities, each with a state, a detail and a hint, and where there is one,
// the command that enables it. For sources that wake us up for samples, the ways to read Python
// stacks are probed as well (method_choice.h); where kernel code can be sampled, its names.

#include "report/machine/probing.h"

#include "base/container/array.h"
#include "base/rights/own_program.h"
#include "base/text/shell_word.h"
#include "base/text/string_builder.h"
#include "interpreter/method_choice.h"
#include "source/source.h"
#include "symbols/kernel_symbols.h"

#include <stdlib.h>
#include <string.h>

static bool probing_finds(const struct probe *probe, const char *ability)
{
	for (size_t i = 0; i < probe->num_findings; i++)
		if (strcmp(probe->findings[i].ability, ability) == 0)
			return probe->findings[i].state == PROBE_YES;
	return false;
}

static struct error *probe_kernel_names(struct probe *probe)
{
	static const char ability[] = "names of kernel functions";
	static const char path[] = "/proc/kallsyms";
	_cleanup_(kernel_symbols_deinit) struct kernel_symbols symbols = KERNEL_SYMBOLS_INIT;
	_cleanup_(error_destroyp) struct error *err = kernel_symbols_load(&symbols, path);
	return err ? probe_add_error(probe, ability, err)
		   : probe_add_finding(probe, ability, PROBE_YES, path, NULL);
}

/** Will sudo find "wperf" in its own search path (sudoers(5), secure_path)? */
static bool is_found_by_sudo(const char *path)
{
	static const char *const places[] = {"/usr/local/sbin/wperf", "/usr/local/bin/wperf",
					     "/usr/sbin/wperf",       "/usr/bin/wperf",
					     "/sbin/wperf",           "/bin/wperf"};
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		if (strcmp(places[i], path) == 0)
			return true;
	return false;
}

static struct error *probing_place_command(char **command)
{
	static const char start[] = "sudo wperf ";
	if (!*command || strncmp(*command, start, strlen(start)) != 0)
		return NULL;
	_cleanup_free_ char *path = NULL;
	struct error *err = own_program_path(&path);
	if (err || is_found_by_sudo(path))
		return err;
	_cleanup_(string_builder_deinit) struct string_builder text = STRING_BUILDER_INIT;
	string_builder_append(&text, "sudo ");
	shell_word_append(&text, path);
	string_builder_appendf(&text, " %s", *command + strlen(start));
	char *placed;
	err = string_builder_finish(&text, &placed);
	if (err)
		return err;
	free(*command);
	*command = placed;
	return NULL;
}

/** Commands that start wperf name the one that runs. */
static struct error *probing_place_commands(struct probe *probe)
{
	struct error *err = NULL;
	for (size_t i = 0; !err && i < probe->num_findings; i++)
		err = probing_place_command(&probe->findings[i].command);
	return err;
}

static struct error *probing_look(const struct source_ops *ops,
				  const struct source_settings *settings, struct probe *probe)
{
	struct error *err = ops->probe(settings, probe);
	if (!err && probing_finds(probe, "kernel code"))
		err = probe_kernel_names(probe);
	if (!err && ops->sample && ops->sample->wakeup)
		err = method_choice_probe(ops, probe);
	return err ? err : probing_place_commands(probe);
}

struct error *probing_visit(const char *source,
			    struct error *(*visit)(void *context, const char *source,
						   const struct probe *probe),
			    void *context)
{
	_cleanup_(source_settings_deinit) struct source_settings chosen = SOURCE_SETTINGS_INIT;
	static const struct source_settings none = SOURCE_SETTINGS_INIT;
	const struct source_ops *chosen_ops;
	struct error *err = source_select(source, &chosen_ops, &chosen);
	for (const struct source_ops *const *ops = all_sources; !err && *ops; ops++) {
		_cleanup_(probe_deinit) struct probe probe = PROBE_INIT;
		err = probing_look(*ops, *ops == chosen_ops ? &chosen : &none, &probe);
		if (!err)
			err = visit(context, (*ops)->traits.name, &probe);
	}
	return err;
}
