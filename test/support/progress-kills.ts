import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { Random } from '../fuzz/random.ts'
import { tour } from './content.ts'
import type { TestDatabase } from './database.ts'
import { call, type ServerProcess, spawnServer } from './process.ts'

const CALLERS = 8

export interface ProgressKills {
  test: TestDatabase
  seed: number
  kills: number
}

/** A browser that claims a flow, reports its steps and its answer, and sends again what was not answered. */
class Caller {
  /** The sequence of the last report that was acknowledged, by session. */
  readonly acknowledged = new Map<string, number>()
  readonly #server: () => ServerProcess
  readonly #name: string
  #count = 0

  constructor(server: () => ServerProcess, name: string) {
    this.#server = server
    this.#name = name
  }

  async run(isRunning: () => boolean): Promise<void> {
    while (isRunning()) await this.#walk(isRunning)
  }

  async #walk(isRunning: () => boolean): Promise<void> {
    this.#count += 1
    const userId = `${this.#name}-${this.#count}`
    await this.#send(isRunning, '/users', { id: userId })
    // The flow is shown once: a claim whose answer is lost is given again to its holder.
    const claim = { content: 'killed', user_id: userId, holder: this.#name }
    const id = await this.#send(isRunning, '/content_sessions', claim)
    const reports = [
      { type: 'step_seen', step: 'hello' },
      { type: 'answered', question: 'ease', value: 0 },
      { type: 'step_seen', step: 'ask' },
      { type: 'completed' },
    ]
    for (const [index, report] of reports.entries()) {
      if (id === undefined) return
      const body = { holder: this.#name, epoch: 1, reports: [{ sequence: index + 1, ...report }] }
      if ((await this.#send(isRunning, `/content_sessions/${id}/progress`, body)) === undefined) return
      this.acknowledged.set(id, index + 1)
    }
  }

  /** Until it is answered. The id of the answer, or undefined when the load ends. */
  async #send(isRunning: () => boolean, path: string, body: object): Promise<string | undefined> {
    while (isRunning()) {
      try {
        const answer = await call(this.#server(), 'POST', path, body)
        if (answer.status === 200) return answer.body.id
        if (answer.status < 500 && answer.status !== 429)
          throw new Error(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      } catch (error) {
        // The connection broke: the outcome is unknown.
        if (!(error instanceof TypeError)) throw error
      }
      await sleep(20)
    }
    return undefined
  }
}

/** Kills a server while sessions go on, and holds what is stored against what was acknowledged. */
export async function killDuringProgress({ test, seed, kills }: ProgressKills): Promise<void> {
  const random = new Random(seed)
  const start = () => spawnServer({ DATABASE_URL: test.url })
  let server = await start()
  try {
    const { body } = await call(server, 'POST', '/content', tour('killed'))
    await call(server, 'POST', `/content/${body.id}/publish`, {})
    const callers = Array.from({ length: CALLERS }, (_, index) => new Caller(() => server, `caller-${index}`))
    const count = () => callers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
    let isRunning = true
    const load = Promise.all(callers.map((caller) => caller.run(() => isRunning)))
    const moreThan = async (least: number) => {
      const goal = count() + least
      await Promise.race([load, expect.poll(count, { interval: 5 }).toBeGreaterThan(goal)])
    }
    for (let killed = 0; killed < kills; killed += 1) {
      await moreThan(10)
      await sleep(random.next() * 50)
      await server.end('SIGKILL')
      server = await start()
    }
    await moreThan(10)
    isRunning = false
    await load
    await audit(test, new Map(callers.flatMap(({ acknowledged }) => [...acknowledged])))
  } finally {
    await server.end()
  }
}

interface Stored extends Record<string, unknown> {
  id: string
  sequence: number
  answers: number
  state: string
  events: string[]
}

/** The events that a flow has made when the report of each number is stored. */
const EVENTS = ['flow_started flow_step_seen', 'question_answered', 'flow_step_seen', 'flow_completed']

async function audit({ database }: TestDatabase, acknowledged: ReadonlyMap<string, number>): Promise<void> {
  const stored = await database.query<Stored>(
    `select session.id, session.sequence, session.state,
            (select count(*)::int from content_answers as answer
              where answer.environment_id = session.environment_id and answer.session_id = session.id) as answers,
            (select coalesce(array_agg(event.name order by event.name), '{}') from events as event
              where event.environment_id = session.environment_id
                and event.attributes ->> 'flow_session_id' = session.id::text) as events
       from content_sessions as session`,
    [],
  )
  const byId = new Map(stored.map((session) => [session.id, session]))
  const lost = [...acknowledged].filter(([id, sequence]) => (byId.get(id)?.sequence ?? 0) < sequence)
  expect(lost).toEqual([])
  const expected = ({ sequence }: Stored) => ({
    events: EVENTS.slice(0, sequence).join(' ').split(' ').sort(),
    answers: sequence >= 2 ? 1 : 0,
    state: sequence >= 4 ? 'completed' : 'active',
  })
  for (const session of stored) expect(session).toMatchObject(expected(session))
  const twice = await database.query(
    'select user_id from content_sessions group by environment_id, user_id having count(*) > 1',
    [],
  )
  expect(twice).toEqual([])
  const states = await database.query('select 1 from content_states where started <> 1', [])
  expect(states).toEqual([])
}
