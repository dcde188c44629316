import { expect, it } from 'vitest'
import type { Attempt } from './attempt.ts'
import type { Sender, SenderOptions } from './send.ts'
import { SenderOnDemand } from './sender-on-demand.ts'

const sent: Attempt = { ok: true, status: 200, timing: { totalMs: 1 }, responseText: '' }

it('a sender that cannot be loaded is a failed attempt, and is loaded by the next one', async () => {
  let loads = 0
  const sender = new SenderOnDemand({} as SenderOptions, async () => {
    loads += 1
    if (loads === 1) throw new Error('EMFILE: too many open files')
    return { send: async () => sent, close: async () => {} } as unknown as Sender
  })
  const send = async () => await sender.send('https://hooks.example.com', {}, '')
  expect(await Promise.all([send(), send()])).toMatchObject([
    { ok: false, failure: expect.stringContaining('EMFILE') },
    { ok: false, failure: expect.stringContaining('EMFILE') },
  ])
  expect(await send()).toBe(sent)
  await sender.close()
  expect(loads).toBe(2)
})
