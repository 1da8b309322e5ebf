// SPDX-License-Identifier: Apache-2.0

#include "cli/help.h"
#include "cli/option.h"
#include "source/source.h"

#include <string.h>

static void print_options_of(enum command_id id, FILE *stream)
{
	for (size_t i = 0; i < num_all_options; i++) {
		const struct option *option = &all_options[i];
		if (!help_command_takes(id, option))
			continue;
		for (size_t k = 0; k < OPTION_MAX_SPELLINGS && option->spellings[k]; k++)
			fprintf(stream, " %s", option->spellings[k]);
	}
}

static void print_commands(FILE *stream)
{
	fputs("\tlocal commands=\"", stream);
	for (unsigned i = 0; i < NUM_COMMANDS; i++)
		fprintf(stream, "%s%s", i ? " " : "", commands[i].name);
	fputs("\"\n", stream);
}

static void print_option_table(FILE *stream)
{
	fputs("\tcase $command in\n", stream);
	for (unsigned i = 0; i < NUM_COMMANDS; i++) {
		fprintf(stream, "\t%s) options=\"", commands[i].name);
		print_options_of(i, stream);
		fputs("\" ;;\n", stream);
	}
	fputs("\tesac\n", stream);
}

/** What stands behind an option that takes a value: files, names of the catalogue, or anything. */
static const struct {
	const char *pattern;
	const char *action;
} values[] = {
	{"-e", "_wperf_listed Predefined_Events; return"},
	{"-m", "_wperf_listed Predefined_Metrics Predefined_Groups_of_Metrics; return"},
	{"-C|-E|--output|-o|--output-csv|--pe_file|--pdb_file",
	 "COMPREPLY=($(compgen -f -- \"$word\")); return"},
	{"--events-dir|--output-prefix|--cwd", "COMPREPLY=($(compgen -d -- \"$word\")); return"},
	{"--format", "COMPREPLY=($(compgen -W 'text man bash' -- \"$word\")); return"},
};

static void print_values(FILE *stream)
{
	fputs("\tcase $previous in\n", stream);
	for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++)
		fprintf(stream, "\t%s) %s ;;\n", values[i].pattern, values[i].action);
	fputs("\t--source) COMPREPLY=($(compgen -W \"", stream);
	for (const struct source_ops *const *ops = all_sources; *ops; ops++)
		fprintf(stream, "%s%s", ops == all_sources ? "" : " ", (*ops)->name);
	fputs("\" -- \"$word\")); return ;;\n\tesac\n", stream);
}

static const char head[] =
	"# Completion of wperf for bash, made by: wperf help --format bash\n"
	"\n"
	"# The last of a comma list is completed; what stands before it stays.\n"
	"_wperf_listed()\n"
	"{\n"
	"\tlocal keep=\"\" last=$word\n"
	"\tcase $word in *[,{]*) last=${word##*[,{]} keep=${word%\"$last\"} ;; esac\n"
	"\tlocal names=$(wperf list --json 2>/dev/null | tr '{}' '\\n\\n' |\n"
	"\t\tsed -n 's/^\"\\(Alias_Name\\|Metric\\|Group\\)\":\"\\([^\"]*\\)\".*/\\1 \\2/p' |\n"
	"\t\tcase $1 in *Events) sed -n 's/^Alias_Name //p' ;; *) sed -n 's/^[MG][a-z]* //p' ;; "
	"esac)\n"
	"\tCOMPREPLY=($(compgen -P \"$keep\" -W \"$names\" -- \"$last\"))\n"
	"}\n"
	"\n"
	"_wperf()\n"
	"{\n"
	"\tlocal word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
	"\tlocal command=\"\" options=\"\" i\n";

static const char find_command[] =
	"\tfor ((i = 1; i < COMP_CWORD; i++)); do\n"
	"\t\t[[ ${COMP_WORDS[i]} == -- ]] && { COMPREPLY=($(compgen -f -- \"$word\")); return; }\n"
	"\t\tif [[ -z $command && \" $commands \" == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
	"\t\t\tcommand=${COMP_WORDS[i]}\n"
	"\t\tfi\n"
	"\tdone\n";

static const char tail[] = "\tif [[ -z $command ]]; then\n"
			   "\t\toptions=\"$commands --help\"\n"
			   "\telif [[ $command == help ]]; then\n"
			   "\t\toptions=\"$options $commands\"\n"
			   "\telif [[ $command == man && $word != -* ]]; then\n"
			   "\t\t_wperf_listed Predefined_Events\n"
			   "\t\treturn\n"
			   "\tfi\n"
			   "\tCOMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
			   "}\n"
			   "complete -F _wperf wperf\n";

void help_print_bash(FILE *stream)
{
	fputs(head, stream);
	print_commands(stream);
	print_values(stream);
	fputs(find_command, stream);
	print_option_table(stream);
	fputs(tail, stream);
}
