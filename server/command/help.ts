import type { Command, Option } from './command.ts'
import { alignColumns } from './text-table.ts'

export function helpForAll(commands: readonly [string, Command][]): string {
  return [
    'Usage: npx usher COMMAND [--json]',
    '',
    alignColumns(commands.map(([name, command]) => [`  ${name} ${parametersOf(command)}`.trimEnd(), command.summary])),
    '',
    'Commands work with or without a running server. They read the same settings as the server.',
    'More about one of them: npx usher help COMMAND',
  ].join('\n')
}

export function helpFor(name: string, command: Command): string {
  const options = Object.entries(command.options)
  const synopsis = ['npx usher', name, parametersOf(command), ...options.map(optionSynopsis), '[--json]']
  const described = [
    ...options.map(([key, option]) => [`  ${shortForm(option)}${spelling(key, option)}`, option.description]),
    ['  --json', 'print one JSON document'],
  ]
  const usage = synopsis.filter((part) => part !== '').join(' ')
  return [`Usage: ${usage}`, '', command.summary, '', alignColumns(described)].join('\n')
}

function parametersOf(command: Command): string {
  return command.parameters.join(' ')
}

function optionSynopsis([key, option]: [string, Option]): string {
  return option.required ? spelling(key, option) : `[${spelling(key, option)}]`
}

function shortForm({ short }: Option): string {
  return short === undefined ? '' : `-${short}, `
}

function spelling(key: string, { value }: Option): string {
  return value === undefined ? `--${key}` : `--${key} ${value}`
}
