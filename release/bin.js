#!/usr/bin/env -S node --max-semi-space-size=16 --heap-growing-percent=100 --no-allocation-site-pretenuring
// The command of the package @usher/server. Without words it prints the help. It runs in the Node that the package
// brings along, whichever Node npx was called with.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
const [major] = process.versions.node.split('.')

if (Number(major) >= 24) {
  await import('./server/main.js')
} else {
  const folder = dirname(createRequire(import.meta.url).resolve('node/package.json'))
  const main = fileURLToPath(new URL('./server/main.js', import.meta.url))
  const child = spawn(join(folder, 'bin/node'), [...process.execArgv, main, ...words], { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
  child.on('error', (error) => {
    process.stderr.write(
      `Usher needs Node 24, found ${process.versions.node}, and the Node of its package does not run (${error.message}). Install Node 24, or install the package with its install scripts: npm install without --ignore-scripts.\n`,
    )
    process.exit(1)
  })
}
