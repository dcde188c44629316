import type { Config } from '../settings/config.ts'
import { StartupError } from '../startup-error.ts'

/** An option of a command: `--name VALUE`, or `--name` alone for a flag. */
export interface Option {
  type: 'string' | 'boolean'
  /** The placeholder of the value in the help. */
  value?: string
  description: string
  required?: true
  /** A short form of one letter: `-o`. */
  short?: string
}

export type Options = Readonly<Record<string, Option>>

export type Values<Table extends Options> = {
  readonly [Name in keyof Table]: Table[Name]['type'] extends 'boolean'
    ? boolean
    : Table[Name] extends { required: true }
      ? string
      : string | undefined
}

export interface Invocation<Parameters extends readonly string[], Table extends Options> {
  /** Read on demand: `help` works with invalid settings too. */
  config(): Config
  parameters: { readonly [Index in keyof Parameters]: string }
  options: Values<Table>
  /** For a command that prints while it runs. */
  json: boolean
}

/** The result of a command: as text, and as one JSON document. */
export interface CommandResult {
  text: string
  json: unknown
  /** Additional text. It goes to standard error, so that the result can be piped. */
  hint?: string
  failed?: boolean
  /** Where a failure has more than one meaning. */
  exitCode?: number
  /** The command has written its result to standard output itself. */
  printed?: true
}

export interface Command {
  summary: string
  parameters: readonly string[]
  options: Options
  /** A command that keeps running returns nothing. */
  run(invocation: Invocation<readonly string[], Options>): Promise<CommandResult | undefined>
}

/** Gives `run` the types of its own parameters and options. */
export function command<const Parameters extends readonly string[], const Table extends Options>(definition: {
  summary: string
  parameters: Parameters
  options: Table
  run(invocation: Invocation<Parameters, Table>): Promise<CommandResult | undefined>
}): Command {
  return definition as unknown as Command
}

/** The command line is wrong; nothing was done. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}
