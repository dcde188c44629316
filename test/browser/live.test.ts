import { afterAll, beforeAll, expect, it } from 'vitest'
import { LiveTabs, POLL, shareOneStream, shows, streamAlone } from './live-tabs.ts'

let live: LiveTabs
beforeAll(async () => {
  live = await LiveTabs.open()
})
afterAll(async () => await live.stage.close())

// test/long/live.test.ts has as many tabs as a browser has connections, and other browsers without shared workers.
it('tabs share one stream, which outlives the tab that opened it and the process that holds it, and ends with the session', async () => {
  await shareOneStream(live, 2)
})

it('a session that ended elsewhere is noticed by the stream', async () => {
  const tab = await live.show(await live.stage.tab('owner'), '/live')
  await shows('first')(tab)
  await live.stage.server.database.query('delete from member_sessions', [])
  await tab.getByRole('heading', { name: 'Sign in' }).waitFor()
  await expect.poll(live.streams, POLL).toBe(0)
})

it('a page that is opened with a request in its address shows the rows beside it', async () => {
  const answer = await live.stage.server.client.get('/users/nobody')
  const tab = await live.show(await live.stage.tab('owner'), `/live?open=${answer.headers['request-id']}`)
  await tab.getByRole('complementary', { name: 'Request' }).getByText('/users/nobody').first().waitFor()
  await tab.getByRole('row').filter({ hasText: 'first' }).first().waitFor()
})

it('where a browser cannot load shared workers, a tab has a stream of its own', async () => {
  const gone = 'class extends SharedWorker { constructor() { super("/app/assets/gone.js") } }'
  await streamAlone(live, `globalThis.SharedWorker = ${gone}`)
})
