import { VERSION } from '../version.ts'
import { command } from './command.ts'

export const version = command({
  summary: 'Print the version of Usher and of the runtime',
  parameters: [],
  options: {},
  async run() {
    const { node } = process.versions
    return { text: `usher ${VERSION} (node ${node})`, json: { usher: VERSION, node } }
  },
})
