# shellcheck shell=bash
# Debian packages of another architecture or release, from the mirror that this machine uses, without
# installing them: with an apt state of its own it needs no root and leaves the packages of this
# machine alone. To be sourced; keep_complete is what to call.

# The Debian mirrors of this machine, as lines of a sources.list. With a SUITE those of another
# release, which the mirror of this machine's own has.
debian_sources() {
	local codename suite=${1:-} options="[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]"
	# shellcheck disable=SC1091 # not ours
	codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
	if [ -z "$suite" ]; then
		apt-get update --print-uris |
			sed -n "s|^'\(.*\)/dists/\(${codename}[a-z-]*\)/InRelease'.*|deb $options \1 \2 main|p"
	else
		apt-get update --print-uris |
			sed -n "s|^'\(.*\)/dists/$codename/InRelease'.*|deb $options \1 $suite main|p"
	fi
}

# prepare_apt STATE ARCHITECTURE [SUITE]: from now on, apt commands are about these and keep what they
# know in STATE.
prepare_apt() {
	local state=$1 architecture=$2
	rm -rf "$state"
	mkdir -p "$state/lists/partial" "$state/cache/archives/partial"
	: >"$state/status"
	debian_sources "${3:-}" >"$state/sources.list"
	[ -s "$state/sources.list" ] || {
		echo "the apt configuration of this machine names no mirror of its Debian" >&2
		exit 1
	}
	cat >"$state/apt.conf" <<-CONF
		APT::Architecture "$architecture";
		APT::Architectures {"$architecture";};
		APT::Install-Recommends "false";
		APT::Sandbox::User "";
		Debug::NoLocking "1";
		Dir::State "$state";
		Dir::State::lists "$state/lists";
		Dir::State::status "$state/status";
		Dir::Cache "$state/cache";
		Dir::Etc::sourcelist "$state/sources.list";
		Dir::Etc::sourceparts "/nonexistent";
		Acquire::Languages "none";
		Acquire::Retries "3";
	CONF
	export APT_CONFIG=$state/apt.conf
	apt-get update -qq
}

# extract_packages ROOT DEB...
extract_packages() {
	local root=$1 deb
	shift
	mkdir -p "$root"
	for deb in "$@"; do dpkg-deb --extract "$deb" "$root"; done
}

# keep_complete FOLDER WANTED DOWNLOAD [ARCHITECTURE [SUITE]]: if FOLDER does not hold WANTED, calls
# DOWNLOAD with a new folder beside it, and moves what that made into FOLDER. One process at a time
# does. Without the last two: arm64, of this machine's release.
keep_complete() {
	local folder=$1 wanted=$2 download=$3 architecture=${4:-arm64} suite=${5:-} made
	mkdir -p "$folder"
	exec 9>"$folder/lock"
	flock 9
	[ "$(cat "$folder/complete" 2>/dev/null)" != "$wanted" ] || return 0
	echo "fetching for $architecture${suite:+ of $suite}: $wanted"
	rm -rf "$folder/complete" "$folder/new"
	mkdir -p "$folder/new"
	prepare_apt "$folder/apt" "$architecture" "$suite"
	"$download" "$folder/new"
	for made in "$folder"/new/*; do
		rm -rf "${folder:?}/${made##*/}"
		mv "$made" "$folder"
	done
	rm -rf "$folder/new" "$folder/apt"
	echo "$wanted" >"$folder/complete"
}
