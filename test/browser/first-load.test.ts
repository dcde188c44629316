import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openStage, type Stage, settled } from './stage.ts'

const MOST_BYTES = 250 * 1024

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
})
afterAll(async () => await stage.close())

it('the first load of a page without charts has at most 250 KB of compressed script, all from this host', async () => {
  const context = await stage.signIn('owner')
  const page = await context.newPage()
  const scripts: Promise<[string, number]>[] = []
  const hosts = new Set<string>()
  page.on('response', (response) => {
    hosts.add(new URL(response.url()).host)
    if (new URL(response.url()).pathname.endsWith('.js')) {
      scripts.push(response.body().then((body) => [response.url(), gzipSync(body).length]))
    }
  })
  await page.goto(`${stage.server.url}/app/production/users`)
  await settled(page)
  const sizes = await Promise.all(scripts)
  const total = sizes.reduce((sum, [, size]) => sum + size, 0)
  expect(total).toBeLessThanOrEqual(MOST_BYTES)
  expect(sizes.filter(([url]) => url.includes('/chart-'))).toEqual([])
  expect([...hosts]).toEqual([new URL(stage.server.url).host])
})
