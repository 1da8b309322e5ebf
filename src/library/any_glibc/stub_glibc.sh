#!/bin/sh
# What a C library of glibc 2.17 offers to the linker, made from a newer one: for each function the
# newest version that is at most 2.17. Writes an assembler file and a version script beside it.
# Usage: stub_glibc.sh READELF LIBRARY OUTPUT.s OUTPUT.map
#
# glibc keeps each version of a function for ever, so that what is linked with an old version runs with
# every later glibc. The linker takes the newest of the library that it finds: here, of this one.
set -eu
"$1" --dyn-syms -W "$2" | awk -v assembler="$3" -v map="$4" '
# "GLIBC_2.3.4" as a number: 2003004.
function number_of(version, parts) {
	if (version !~ /^GLIBC_2(\.[0-9]+)+$/)
		return 0
	sub(/^GLIBC_/, "", version)
	split(version, parts, ".")
	return parts[1] * 1000000 + parts[2] * 1000 + parts[3]
}
# ABS: the names of the versions themselves.
$7 != "UND" && $7 != "ABS" && $8 ~ /@/ {
	split($8, word, /@+/)
	number = number_of(word[2])
	if (number == 0 || number > 2017000 || number <= best[word[1]])
		next
	best[word[1]] = number
	version[word[1]] = word[2]
	kind[word[1]] = $4 == "OBJECT" ? "@object" : "@function"
	size[word[1]] = $3
}
END {
	for (name in best) {
		# gas of Arm takes "@" for a comment, "%" is right everywhere.
		sub("@", "%", kind[name])
		printf ".globl %s\n.type %s, %s\n.size %s, %s\n%s:\n", name, name, kind[name], name,
			size[name], name >assembler
		names[version[name]] = names[version[name]] "\n\t" name ";"
	}
	for (each in names)
		printf "%s {\nglobal:%s\n};\n", each, names[each] >map
}'
