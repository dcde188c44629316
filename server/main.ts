#!/usr/bin/env node
import { readConfig } from './config.ts'
import { start } from './start.ts'
import { StartupError } from './startup-error.ts'

/** The `usher` command. */
async function main([command = 'help']: string[]): Promise<void> {
  if (command === 'start') return await start(readConfig(process.env))
  throw new StartupError(`There is no command ${command}.`)
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${error instanceof StartupError ? error.message : ((error as Error).stack ?? error)}\n`)
  process.exit(1)
})
