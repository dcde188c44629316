import { readFile } from 'node:fs/promises'
import { command } from './command.ts'

export const version = command({
  summary: 'Print the version of Usher and of the runtime',
  parameters: [],
  options: {},
  async run() {
    const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
    const { version: usher } = JSON.parse(text) as { version: string }
    return { text: `usher ${usher} (node ${process.versions.node})`, json: { usher, node: process.versions.node } }
  },
})
