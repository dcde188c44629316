#!/usr/bin/env node
import { UsageError } from './command/command.ts'
import { runCommand } from './command/run.ts'
import { isAway, sqlState } from './database/errors.ts'
import { StartupError } from './startup-error.ts'

/** The `usher` command. Exit codes: 1 when it could not be done, 2 when it was typed wrongly. */
runCommand(process.argv.slice(2), process.env).then(
  (code) => {
    process.exitCode = code
  },
  (error: unknown) => {
    process.stderr.write(`${describe(error)}\n`)
    process.exit(error instanceof UsageError ? 2 : 1)
  },
)

function describe(error: unknown): string {
  if (error instanceof StartupError) return error.message
  if (sqlState(error) !== undefined || isAway(error)) return `The database failed: ${(error as Error).message}`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
