#!/usr/bin/env bash
# Makes applications with the Nest CLI, adds the packed package and an agent as users would, and lets each one test and serve it.
# With a version of NestJS, such as 11: in an application on it only.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

export npm_config_audit=false npm_config_fund=false npm_config_loglevel=error
tarball=$(cd "$root" && npm pack --silent --pack-destination "$work" | tail -n 1)
for nest in ${1:-11 12}; do
  echo "== NestJS $nest"
  mkdir "$work/nest-$nest"
  (
    cd "$work/nest-$nest"
    # The CLI comes first, since it makes the package.json that it is then itself a part of.
    echo '{}' >package.json
    npm install "@nestjs/cli@$nest"
    rm package.json package-lock.json
    # Without a terminal nobody is asked anything.
    npx nest new app --directory . --language ts --package-manager npm --skip-git --skip-install </dev/null >/dev/null

    npm install "$work/$tarball"
    npx nest add nestjs-agui --skip-install </dev/null
    npx nest generate --collection nestjs-agui agent weather </dev/null

    # The matcher in a real Jest, where the application has one.
    if grep -q '"jest"' package.json; then
      cp "$here/jest-stream.spec.txt" src/stream.spec.ts
    fi

    npx nest build
    npm test
    npm run lint
    node "$here/serve.mjs" dist/main.js
  )
done
