#!/usr/bin/env bash
# Installs the packed package in applications of their own, as users would, and lets each serve one run.
# With a version of NestJS, such as 11: in those on it.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tarball=$(cd "$root" && npm pack --silent --pack-destination "$work" | tail -n 1)
for folder in "$here/nest-${1:-}"*/; do
  consumer=$(basename "$folder")
  echo "== $consumer"
  mkdir "$work/$consumer"
  cp "$here/$consumer/package.json" "$here"/*.ts "$here/tsconfig.json" "$work/$consumer"
  (
    cd "$work/$consumer"
    npm install --no-audit --no-fund --loglevel=error "$work/$tarball"
    npx tsc
    node main.js
  )
done
