import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { readConfig, settingNames } from '../settings/config.ts'
import { type Command, type CommandResult, type Options, UsageError } from './command.ts'
import { helpFor, helpForAll } from './help.ts'
import { writeOut } from './output.ts'
import { loadCommand, loadCommands, names } from './table.ts'

const SEE_HELP = 'See: npx usher help'

/** Runs a command line, prints the result, and returns the exit code. */
export async function runCommand(words: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  const [first = 'help'] = words
  if (['help', '--help', '-h'].includes(first)) return await printHelp(words.slice(1))
  if (words.includes('--help') || words.includes('-h')) return await printHelp(words)
  const { name, command, rest } = await find(first === '--version' ? ['version'] : words)
  const { parameters, options, json } = parse(name, command, rest)
  const result = await command.run({ config: () => readConfig(environment), parameters, options, json })
  return result === undefined ? 0 : await print(result, json)
}

async function printHelp(words: readonly string[]): Promise<number> {
  const text = await help(words)
  return await print({ text, json: { help: text } }, words.includes('--json'))
}

async function print({ text, json, hint, failed, printed, exitCode }: CommandResult, asJson: boolean): Promise<number> {
  if (!printed) await writeOut(`${asJson ? JSON.stringify(json, null, 2) : text}\n`)
  if (hint !== undefined && !asJson) process.stderr.write(`${hint}\n`)
  return exitCode ?? (failed ? 1 : 0)
}

async function help(words: readonly string[]): Promise<string> {
  const wanted = words.filter((word) => !word.startsWith('-')).slice(0, 2)
  if (wanted.length === 0) return helpForAll(Object.entries(await loadCommands(names)))
  const group = names.filter((name) => name.split(' ')[0] === wanted[0])
  if (wanted.length === 1 && group.length > 1) return helpForAll(Object.entries(await loadCommands(group)))
  const { name, command } = await find(wanted)
  return helpFor(name, command)
}

async function find(words: readonly string[]): Promise<{ name: string; command: Command; rest: readonly string[] }> {
  for (const length of [2, 1]) {
    const name = words.slice(0, length).join(' ')
    const command = await loadCommand(name)
    if (command) return { name, command, rest: words.slice(length) }
  }
  const [first] = words
  const below = names.flatMap((name) => (name.startsWith(`${first} `) ? [name.split(' ')[1]] : []))
  if (below.length > 0)
    throw new UsageError(`"${first}" needs one of ${below.join(', ')} after it. ${SEE_HELP} ${first}`)
  throw new UsageError(`There is no command "${first}". ${SEE_HELP}`)
}

function parse(name: string, command: Command, words: readonly string[]) {
  const seeHelp = `${SEE_HELP} ${name}`
  const { values, positionals } = parseWords(command.options, words, seeHelp)
  if (!fits(positionals.length, command.parameters)) {
    const expected = command.parameters.join(' ') || 'nothing'
    throw new UsageError(`"usher ${name}" takes ${expected}, not ${positionals.join(' ') || 'nothing'}. ${seeHelp}`)
  }
  const missing = Object.keys(command.options).find(
    (key) => command.options[key]?.required && values[key] === undefined,
  )
  if (missing !== undefined) throw new UsageError(`"usher ${name}" needs --${missing}. ${seeHelp}`)
  const { json, ...options } = values
  return { parameters: positionals, options: options as never, json: json === true }
}

/** The last parameter may take several values. */
function fits(count: number, parameters: readonly string[]): boolean {
  return parameters.at(-1)?.endsWith('…') ? count >= parameters.length : count === parameters.length
}

function parseWords(options: Options, words: readonly string[], seeHelp: string) {
  const types: ParseArgsOptionsConfig = { json: { type: 'boolean' } }
  for (const [key, { type, short }] of Object.entries(options)) types[key] = { type, ...(short && { short }) }
  try {
    return parseArgs({ args: [...words], options: types, allowPositionals: true, strict: true })
  } catch (error) {
    const [firstSentence] = (error as Error).message.split(/\. |\n/)
    const sentence = firstSentence?.replace(/\.$/, '') ?? ''
    const setting = settingOf(/^Unknown option '--([\w-]+)'/.exec(sentence)?.[1])
    const instead = setting === undefined ? '' : `: it is a setting, the environment variable ${setting}`
    throw new UsageError(`${sentence}${instead}. ${seeHelp}`)
  }
}

/** `--port` is the setting `PORT`, `--data-dir` is `USHER_DATA_DIR`. */
function settingOf(option: string | undefined): string | undefined {
  const name = option?.replaceAll('-', '_').toUpperCase()
  return settingNames().find((setting) => setting === name || setting === `USHER_${name}`)
}
