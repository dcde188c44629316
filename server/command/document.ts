import { writeFileSync } from 'node:fs'
import { helpFor } from './help.ts'
import { commands } from './table.ts'

/** `npm run openapi`: writes docs/command-line.md from the table of commands. */

const INTRODUCTION = `# The command line

Every command works beside a running server and without one, on the same settings (environment variables) as the server. From a checkout it is \`npx usher <command>\`, from the package \`npx @usher/server <command>\`. All take \`--json\` for programs: the result is one JSON document on standard output, or one on each line for \`listen\` and \`export\`. A failure is \`{ "error": { "code", "message" } }\` there, with the code \`usage\`, \`failed\`, \`interrupted\` or \`unexpected\`.

Exit codes: 0, 1 for a failure, 2 for a wrong command line, 130 when interrupted, 141 when nobody reads the output.
`

function commandLinePage(): string {
  const parts = Object.entries(commands).map(
    ([name, command]) => `## ${name}\n\n\`\`\`text\n${helpFor(name, command).trim()}\n\`\`\`\n`,
  )
  return [INTRODUCTION, ...parts].join('\n')
}

if (import.meta.main) writeFileSync(new URL('../../docs/command-line.md', import.meta.url), commandLinePage())
