import { command } from './command.ts'

export const start = command({
  summary: 'Run the server until it is told to stop',
  parameters: [],
  options: {},
  async run({ config }) {
    const settings = config()
    // Loaded here alone: the HTTP server and all that belongs to it would add 0.3 s to every other command.
    const server = await import('../start.ts')
    await server.start(settings)
    return undefined
  },
})
