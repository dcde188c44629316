import { type Command, command, UsageError } from './command.ts'

type Commands = Readonly<Record<string, Command>>

const SHELLS: Record<string, (commands: Commands) => string> = { bash, zsh, fish }

const HINT: Record<string, string> = {
  bash: 'eval "$(npx usher completion bash)"',
  zsh: 'eval "$(npx usher completion zsh)"',
  fish: 'npx usher completion fish | source',
}

/** The table holds this command too, so it is handed in as a function. */
export function completionCommand(commands: () => Promise<Commands>): Command {
  return command({
    summary: 'Print what a shell (bash, zsh or fish) needs to complete this command',
    parameters: ['SHELL'],
    options: {},
    async run({ parameters: [shell] }) {
      const write = Object.hasOwn(SHELLS, shell) ? SHELLS[shell] : undefined
      if (!write)
        throw new UsageError(`There is no completion for "${shell}": it is one of ${Object.keys(SHELLS).join(', ')}.`)
      const text = write(await commands())
      return { text, json: { shell, script: text }, hint: `Use it with: ${HINT[shell]}` }
    },
  })
}

/** The completions of the words typed so far: the next words of commands, or the options of one. */
function followers(commands: Commands): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const add = (before: string, word: string) => {
    const words = found.get(before) ?? []
    if (!words.includes(word)) found.set(before, [...words, word])
  }
  add('', 'help')
  for (const shell of Object.keys(SHELLS)) add('completion', shell)
  for (const [name, { options }] of Object.entries(commands)) {
    const [first = '', second] = name.split(' ')
    for (const before of ['', 'help']) add(before, first)
    if (second !== undefined) for (const before of [first, `help ${first}`]) add(before, second)
    for (const option of [...Object.keys(options), 'json', 'help']) add(name, `--${option}`)
  }
  return found
}

// The placeholders are the shell's.
// biome-ignore-start lint/suspicious/noTemplateCurlyInString: see above
function bash(commands: Commands): string {
  const cases = [...followers(commands)].map(([before, words]) => `    "${before}") words="${words.join(' ')}" ;;`)
  return [
    '_usher() {',
    '  local current="${COMP_WORDS[COMP_CWORD]}" before="" words="" word',
    '  for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do',
    '    case "$word" in -*) break ;; esac',
    '    [ "$(wc -w <<< "$before")" -lt 2 ] && before="${before:+$before }$word"',
    '  done',
    '  case "$before" in',
    ...cases,
    '  esac',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  [ ${#COMPREPLY[@]} -gt 0 ] || COMPREPLY=($(compgen -f -- "$current"))',
    '}',
    'complete -F _usher usher',
  ].join('\n')
}

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: see above

/** zsh runs completions of bash. */
function zsh(commands: Commands): string {
  return ['autoload -Uz compinit bashcompinit && compinit && bashcompinit', bash(commands)].join('\n')
}

function fish(commands: Commands): string {
  const lines = ['complete -c usher -e', 'complete -c usher -f']
  for (const [before, words] of followers(commands)) {
    const condition =
      before === ''
        ? '__fish_use_subcommand'
        : before
            .split(' ')
            .map((word) => `__fish_seen_subcommand_from ${word}`)
            .join('; and ')
    for (const word of words) {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-a ${word}`
      lines.push(`complete -c usher -n '${condition}' ${what}`)
    }
  }
  return lines.join('\n')
}
