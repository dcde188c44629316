import { pauseDeliveries, resumeDeliveries } from '../../webhooks/pause.ts'
import { command } from '../command.ts'
import { withDatabase } from '../with-database.ts'

export const webhooksPause = command({
  summary: 'Send no webhooks until they are resumed; they are stored meanwhile',
  parameters: [],
  options: {},
  async run({ config }) {
    await withDatabase(config(), (database) => pauseDeliveries(database, 'an operator has paused it'))
    return { text: 'Every node stops sending webhooks within five seconds.', json: { paused: true } }
  },
})

export const webhooksResume = command({
  summary: 'Send webhooks again, after a pause or in a restored copy',
  parameters: [],
  options: {},
  async run({ config }) {
    const wasPaused = await withDatabase(config(), (database) => resumeDeliveries(database))
    const text = wasPaused ? 'Every node sends webhooks again within five seconds.' : 'Webhooks were not paused.'
    return { text, json: { paused: false, was_paused: wasPaused } }
  },
})
