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
	case $last in u:*|ur:*|k:*|kr:*|usdt:*) _wperf_probes "$keep" "$last"; return ;; esac
	local names=$(wperf list --json 2>/dev/null | tr '{}' '\n\n' |
		sed -n 's/^"\('"${columns// /\\|}"'\)":"\([^"]*\)".*/\2/p')
	COMPREPLY=($(compgen -P "$keep" -W "$names" -- "$last"))
}

# Probes: the files of u:FILE, what is in them, functions of the kernel, static probes of the
# processes of -p or of the program that has the provider's name.
_wperf_probes()
{
	local keep=$1 last=$2 kind=${2%%:*} rest=${2#*:} names="" file i
	case $last in
	k:*|kr:*)
		names=$(sed -n "s/^[0-9a-f]* [tT] \(${rest//[^A-Za-z0-9_.]}[^ \t]*\)$/$kind:\1/p" \
			/proc/kallsyms 2>/dev/null) ;;
	u:*:*|ur:*:*|usdt:/*:*)
		names=$(_wperf_probes_of "${rest%%:*}" "$kind" "$kind:${rest%%:*}:" "${rest#*:}") ;;
	usdt:[^/]*|usdt:)
		for ((i = 1; i < COMP_CWORD; i++)); do
			[[ ${COMP_WORDS[i-1]} == -p ]] && file=/proc/${COMP_WORDS[i]%%,*}/exe
		done
		# The first one may be a script that starts another one.
		for file in ${file:-$(type -aP "${rest%%:*}" "${rest%%:*}3" 2>/dev/null)}; do
			names=$(_wperf_probes_of "$file" usdt usdt: "$rest")
			[[ $names ]] && break
		done ;;
	*)
		compopt -o nospace 2>/dev/null
		for file in $(compgen -f -- "$rest"); do
			[[ -d $file ]] && names+="$kind:$file/ " || names+="$kind:$file: "
		done ;;
	esac
	COMPREPLY=($(compgen -P "$keep" -W "$names" -- "$last"))
}

# Probes of file $1 and kind $2, behind $3, whose names begin with $4.
_wperf_probes_of()
{
	wperf list probes "$1" "${2/#ur/u}:*" --json 2>/dev/null | tr '{}' '\n\n' |
		sed -n 's/^"probe":"\([^"]*\)".*/\1/p' | while IFS= read -r name; do
			name=${name#"${2/#ur/u}:$1:"}
			[[ $name == "$4"* ]] && printf '%s\n' "$3$name"
		done
}

_wperf()
{
	local word=${COMP_WORDS[COMP_CWORD]} first=$COMP_CWORD before=""
	# bash cuts u:FILE:function at its colons, and completes what is behind the last one.
	while ((first > 1)) && [[ ${COMP_WORDS[first]} == :* || ${COMP_WORDS[first-1]} == *: ]]; do
		word=${COMP_WORDS[--first]}$word
	done
	# Inside quotes it does not.
	case $word in
	[\"\']*) word=${word:1} ;;
	*:*) ((first < COMP_CWORD)) && before=${word%"${word##*:}"} ;;
	esac
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
