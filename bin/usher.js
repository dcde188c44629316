#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=100 --no-allocation-site-pretenuring
// The way into the `usher` command, in plain JavaScript: a Node that cannot run TypeScript gets as far as this line.
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'

if (process.features.typescript) {
  // As in server/main.ts, and before it: with the cache no TypeScript has to be stripped, and loading the stripper took 0.1 s.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/usher', import.meta.url)))
  await import('../server/main.ts')
} else {
  const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  process.stderr.write(
    `Usher needs Node ${dependencies.node} and found ${process.versions.node}: run "npm ci" without --ignore-scripts, which installs that Node beside the packages, and start with "npm start" or "npx usher".\n`,
  )
  process.exitCode = 1
}
