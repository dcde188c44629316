import { command } from './command.ts'
import { interruption } from './interruption.ts'

export const start = command({
  summary: 'Run the server until a stop signal',
  parameters: [],
  options: {},
  async run({ config }) {
    const { boot } = await import('../process/boot.ts')
    try {
      await boot(config(), interruption)
    } catch (error) {
      if (!interruption.signal.aborted) throw error
      process.exit(0)
    }
    return undefined
  },
})
