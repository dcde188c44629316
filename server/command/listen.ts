import { isTopic, TOPIC_RULE } from '../../contract/topics.ts'
import { VERSION } from '../version.ts'
import { checkWebhookUrl } from '../webhooks/egress/url.ts'
import { listenSecret } from '../webhooks/listen-secret.ts'
import type { ListenerOptions } from '../webhooks/listener.ts'
import { command, UsageError } from './command.ts'
import { accountOption, findEnvironment } from './environments/find.ts'
import { interruption } from './interruption.ts'
import { writeOut } from './output.ts'
import { withDatabase } from './with-database.ts'

const POLICY = { allowPrivate: true }

export const listen = command({
  summary: 'Print what happens in an environment, and forward it to a local port, until Ctrl-C',
  parameters: [],
  options: {
    environment: { type: 'string', value: 'NAME', description: 'the environment', required: true },
    account: accountOption,
    forward: {
      type: 'string',
      value: 'URL',
      description: 'where to send each notification, signed: http://127.0.0.1:3000/hooks',
    },
    topics: { type: 'string', value: 'TOPICS', description: 'separated by commas; everything unless given' },
  },
  async run({ config, options, json }) {
    const topics = (options.topics ?? '*').split(',')
    const unknown = topics.find((topic) => !isTopic(topic))
    if (unknown !== undefined) throw new UsageError(`--topics: '${unknown}' ${TOPIC_RULE}.`)
    const problem = options.forward === undefined ? undefined : checkWebhookUrl(options.forward, POLICY)
    if (problem !== undefined) throw new UsageError(`--forward ${problem}.`)
    // The HTTP client takes 0.2 s to load. Other commands do not wait for it.
    const [{ Sender }, { Listener }] = await Promise.all([
      import('../webhooks/egress/send.ts'),
      import('../webhooks/listener.ts'),
    ])
    const settings = config()
    await withDatabase(settings, async (database) => {
      const { id: environmentId } = await findEnvironment(database, options.environment, options.account)
      const limits = { connectTimeoutMs: 5_000, totalTimeoutMs: 15_000 }
      const sender = new Sender({ ...POLICY, ...limits, userAgent: `Usher/${VERSION} (usher listen)` })
      const secret = await listenSecret(settings, environmentId)
      const target = { topics, forwardTo: options.forward, secret }
      const listener = new Listener({ database, environmentId, sender, ...target, onNotification: print(json) })
      await writeOut(json ? line({ secret }) : `Listening; the signing secret is ${secret}. Ctrl-C ends it.\n`)
      await listener.run(interruption.signal)
      await sender.close()
    })
    return undefined
  },
})

/** Under `--json` each is one line of JSON: what follows them has no end. */
function print(json: boolean): ListenerOptions['onNotification'] {
  return async ({ id, topic, created_at }, outcome) => {
    const result = outcome && (outcome.failure ?? `${outcome.status}, ${Math.round(outcome.timing.totalMs)} ms`)
    if (json) return await writeOut(line({ id, topic, created_at, forwarded: result ?? null }))
    await writeOut(`${[created_at, id, topic, result].filter(Boolean).join('  ')}\n`)
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`
