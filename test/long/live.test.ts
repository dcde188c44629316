import { afterAll, beforeAll, it } from 'vitest'
import { LiveTabs, shareOneStream, streamAlone } from '../browser/live-tabs.ts'

/** All connections that a browser has to one server over HTTP/1.1: with a stream for each tab, a seventh would load nothing. */
const TABS = 6

let live: LiveTabs
beforeAll(async () => {
  live = await LiveTabs.open()
})
afterAll(async () => await live.stage.close())

it('six tabs share one stream, which outlives the tab that opened it and the process that holds it, and ends with the session', async () => {
  await shareOneStream(live, TABS)
})

it.each([
  ['has no shared workers', 'delete globalThis.SharedWorker'],
  ['refuses them', "globalThis.SharedWorker = class { constructor() { throw new DOMException('', 'SecurityError') } }"],
])('where a browser %s, a tab has a stream of its own', async (_, script) => {
  await streamAlone(live, script)
})
