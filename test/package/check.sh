#!/usr/bin/env bash
# Packs the package, and checks what would be published: its entries, types, contents, schematics and size.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

tarball=$work/$(npm pack --silent --pack-destination "$work" | tail -n 1)
tar -xzf "$tarball" -C "$work"

npx publint run "$tarball" --strict
# CommonJS applications require() the ES modules: every Node that is supported can.
npx attw "$tarball" --ignore-rules cjs-resolves-to-esm
PACKAGE_FOLDER=$work/package node --test test/package/*.test.mjs
npx size-limit
