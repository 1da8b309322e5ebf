# Completion of wperf for bash, made by: wperf help --format bash

# Offers the lines of standard input that begin with $1, the end of $word. They may be names of
# files and symbols that anybody gave: none is expanded here, and what is added to the word is
# quoted, so that it is none of a command's parts when the line is run.
_wperf_offer()
{
	local names name rest plain='^[A-Za-z0-9_./:+@=,%-]*$'
	mapfile -t names
	for name in "${names[@]}"; do
		[[ $name && $name == "$1"* ]] || continue
		rest=${name#"$1"}
		if [[ ! $rest =~ $plain ]]; then
			[[ $quote ]] && continue # each kind of quotes has its own rules
			printf -v rest %q "$rest"
		fi
		COMPREPLY+=("$word$rest")
	done
}

_wperf_words()
{
	_wperf_offer "${word//\\}" < <(compgen "$@" -- "${word//\\}")
}

# Names of the tables with these columns. The last of a comma list is completed; what stands
# before it stays.
_wperf_listed()
{
	local last=${word##*[,{]} columns=$*
	case $last in u:*|ur:*|k:*|kr:*|usdt:*) _wperf_probes "${last//\\}"; return ;; esac
	_wperf_offer "$last" < <(wperf list --json 2>/dev/null | tr '{}' '\n\n' |
		sed -n 's/^"\('"${columns// /\\|}"'\)":"\([^"]*\)".*/\2/p')
}

# Probes: the files of u:FILE, what is in them, functions of the kernel, static probes of the
# processes of -p or of the program that has the provider's name.
_wperf_probes()
{
	local last=$1 kind=${1%%:*} rest=${1#*:} names="" file i
	case $last in
	k:*|kr:*)
		names=$(sed -n "s/^[0-9a-f]* [tT] \(${rest//[^A-Za-z0-9_.]}[^ \t]*\)$/$kind:\1/p" \
			/proc/kallsyms 2>/dev/null) ;;
	u:*:*|ur:*:*|usdt:*/*:*)
		names=$(_wperf_probes_of "${rest%%:*}" "$kind" "$kind:${rest%%:*}:" "${rest#*:}") ;;
	u:*|ur:*|usdt:*/*)
		compopt -o nospace 2>/dev/null
		while IFS= read -r file; do
			[[ -d $file ]] && names+=$kind:$file/$'\n' || names+=$kind:$file:$'\n'
		done < <(compgen -f -- "$rest") ;;
	*)
		for ((i = 1; i < COMP_CWORD; i++)); do
			[[ ${COMP_WORDS[i-1]} == -p ]] && file=/proc/${COMP_WORDS[i]%%,*}/exe
		done
		# The first one may be a script that starts another one.
		for file in ${file:-$(type -aP "${rest%%:*}" "${rest%%:*}3" 2>/dev/null)}; do
			names=$(_wperf_probes_of "$file" usdt usdt: "$rest")
			[[ $names ]] && break
		done ;;
	esac
	_wperf_offer "$last" <<< "$names"
}

# Probes of file $1 and kind $2, behind $3, whose names begin with $4.
_wperf_probes_of()
{
	[[ -f $1 ]] || return # a pipe would be waited for
	wperf list probes "$1" "${2/#ur/u}:*" --json 2>/dev/null | tr '{}' '\n\n' |
		sed -n 's/^"probe":"\([^"]*\)".*/\1/p' | while IFS= read -r name; do
			name=${name#"${2/#ur/u}:$1:"}
			[[ $name == "$4"* ]] && printf '%s\n' "$3$name"
		done
}

_wperf()
{
	local word=${COMP_WORDS[COMP_CWORD]} first=$COMP_CWORD before="" quote=""
	# bash cuts u:FILE:function at its colons, and completes what is behind the last one.
	while ((first > 1)) && [[ ${COMP_WORDS[first]} == :* || ${COMP_WORDS[first-1]} == *: ]]; do
		word=${COMP_WORDS[--first]}$word
	done
	# Inside quotes it does not.
	case $word in
	[\"\']*) quote=${word:0:1} word=${word:1} ;;
	*:*) ((first < COMP_CWORD)) && before=${word%"${word##*:}"} ;;
	esac
	COMPREPLY=()
	local previous=${COMP_WORDS[first-1]}
	# bash cuts --option=value into three words.
	[[ $previous == = ]] && previous=${COMP_WORDS[first-2]}
	[[ $word == = ]] && word=""
	_wperf_word
	[[ $before ]] && COMPREPLY=("${COMPREPLY[@]#"$before"}")
	return 0
}

# Completes $word, which stands behind $previous.
_wperf_word()
{
	local command="" options="" i
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
