import type { Config } from '../config.ts'
import { StartupError } from '../startup-error.ts'

/** What a command can be told by `--name VALUE`, or by `--name` alone when it is a flag. */
export interface Option {
  type: 'string' | 'boolean'
  /** What stands for the value in the help. */
  value?: string
  description: string
  required?: true
  /** One letter that stands for the name: `-o`. */
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
  /** Read on demand: `help` works with settings that do not. */
  config(): Config
  parameters: { readonly [Index in keyof Parameters]: string }
  options: Values<Table>
}

/** What a command has to say: to people, and as one JSON document. */
export interface Result {
  text: string
  json: unknown
  /** For people, beside the result: it goes to standard error, so that the result can be piped. */
  hint?: string
  failed?: boolean
  /** The command has written its result to standard output itself. */
  printed?: true
}

export interface Command {
  summary: string
  parameters: readonly string[]
  options: Options
  /** Nothing comes back from a command that goes on running. */
  run(invocation: Invocation<readonly string[], Options>): Promise<Result | undefined>
}

/** Gives `run` the types of its own parameters and options. */
export function command<const Parameters extends readonly string[], const Table extends Options>(definition: {
  summary: string
  parameters: Parameters
  options: Table
  run(invocation: Invocation<Parameters, Table>): Promise<Result | undefined>
}): Command {
  return definition as unknown as Command
}

/** The command was typed wrongly; nothing was done. */
export class UsageError extends StartupError {
  override name = 'UsageError'
}
