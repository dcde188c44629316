import { writeFileSync } from 'node:fs'
import { helpFor } from './help.ts'
import { loadCommands, names } from './table.ts'

/** `npm run openapi`: writes docs/command-line.md from the table of commands. */

const INTRODUCTION = `# The command line

Every command works with or without a running server, and reads the same settings (environment variables) as the server. It is \`npx usher <command>\`, in a checkout and where the package is installed. All take \`--json\` for programs: the result is one JSON document on standard output, or one per line for \`listen\` and \`export\`. A failure is \`{ "error": { "code", "message" } }\` there. The code is \`usage\`, \`failed\`, \`interrupted\` or \`unexpected\`.

Exit codes: 0, 1 for a failure, 2 for a wrong command line, 130 when interrupted, 141 when the reader of the output has closed the pipe.
`

async function commandLinePage(): Promise<string> {
  const parts = Object.entries(await loadCommands(names)).map(
    ([name, command]) => `## ${name}\n\n\`\`\`text\n${helpFor(name, command).trim()}\n\`\`\`\n`,
  )
  return [INTRODUCTION, ...parts].join('\n')
}

if (import.meta.main) writeFileSync(new URL('../../docs/command-line.md', import.meta.url), await commandLinePage())
