import { command } from './command.ts'

export const start = command({
  summary: 'Run the server until it is told to stop',
  parameters: [],
  options: {},
  async run({ config }) {
    const { boot } = await import('../boot.ts')
    await boot(config())
    return undefined
  },
})
