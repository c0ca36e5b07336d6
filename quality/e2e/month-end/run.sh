#!/bin/sh
# Runs the tests with the clock of Node.js, PostgreSQL and browsers at CREDITGATE_NOW (UTC), by default shortly before a year ends.
set -e
if ! command -v cc > /dev/null; then
  echo "cc is missing: apt-get install gcc libc6-dev" >&2
  exit 1
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cc -shared -fPIC -O2 -o "$folder/clock.so" "$(dirname "$0")/clock.c"
# PostgreSQL may run as another user.
chmod -R go+rX "$folder"
now=$(date -u -d "${CREDITGATE_NOW:-2026-12-31 23:55:00}" +%s)
TZ=UTC FAKETIME=$((now - $(date +%s))) LD_PRELOAD="$folder/clock.so" npx vitest run "$@"
