#!/bin/busybox sh
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=dash
# The first process of the machine: runs the commands of /commands and writes what came of them to
# the console, as an archive in base64 between two lines of their own.
/bin/busybox mkdir -p /proc /sys /tmp /results
/bin/busybox --install -s /bin
export PATH=/bin
chmod 1777 /tmp
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
dmesg -n 1 # nothing but us on the console

# NUMBER USER COMMAND: keep its output and its exit code.
run() {
	su -s /bin/sh -c "$3" "$2" </dev/null >"/results/$1.out" 2>"/results/$1.err"
	echo $? >"/results/$1.exit"
}
cd /tmp || exit
# shellcheck disable=SC1091 # machine.py makes it
. /commands

echo "== results"
tar -c -C /results . | gzip -1 | base64
echo "== end"
poweroff -f
