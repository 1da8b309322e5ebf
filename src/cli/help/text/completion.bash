# Completion of wperf for bash, made by: wperf help --format bash

_wperf_words()
{
	COMPREPLY=($(compgen "$@" -- "$word"))
}

# Names of the tables with these columns. The last of a comma list is completed; what stands
# before it stays.
_wperf_listed()
{
	local keep="" last=$word columns=$*
	case $word in *[,{]*) last=${word##*[,{]} keep=${word%"$last"} ;; esac
	local names=$(wperf list --json 2>/dev/null | tr '{}' '\n\n' |
		sed -n 's/^"\('"${columns// /\\|}"'\)":"\([^"]*\)".*/\2/p')
	COMPREPLY=($(compgen -P "$keep" -W "$names" -- "$last"))
}

_wperf()
{
	local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}
	local command="" options="" i
	# bash cuts --option=value into three words.
	[[ $previous == = ]] && previous=${COMP_WORDS[COMP_CWORD-2]}
	[[ $word == = ]] && word=""
#@ commands
	for ((i = 1; i < COMP_CWORD; i++)); do
		[[ ${COMP_WORDS[i]} == -- ]] && { _wperf_words -f; return; }
		if [[ -z $command && " $commands " == *" ${COMP_WORDS[i]} "* ]]; then
			command=${COMP_WORDS[i]}
		fi
	done
#@ values
#@ arguments
#@ options
	[[ -n $command ]] || options="$commands --help"
	_wperf_words -W "$options"
}
complete -F _wperf wperf
