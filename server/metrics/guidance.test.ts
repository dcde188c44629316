import { expect, it, onTestFinished } from 'vitest'
import { startTestServer } from '../../test/support/client.ts'
import { tour } from '../../test/support/content.ts'
import { openPublicSide, Page } from '../../test/support/page.ts'

it('the metrics tell decisions and claims by outcome, reports by type, open streams, and what is published', async () => {
  const server = await startTestServer()
  onTestFinished(() => server.close())
  const { client, url } = server
  const { token } = await openPublicSide(server.services, server.environmentId)
  const { body: saved } = await client.post('/content', tour('welcome'))
  await client.post(`/content/${saved.id}/publish`, {})
  const [page, other] = [new Page({ url, token }), new Page({ url, token })]
  await page.identify('ada')
  await other.identify('ada')
  const stream = await page.openStream()
  onTestFinished(() => stream.close())
  const { id, epoch } = (await page.call('claim', { content: 'welcome' })).body
  expect((await other.call('claim', { content: 'welcome' })).body.error.code).toBe('claimed')
  const reports = [
    { sequence: 1, type: 'step_seen', step: 'hello' },
    { sequence: 2, type: 'step_seen', step: 'ask' },
    { sequence: 3, type: 'ended', reason: 'close_button' },
  ]
  await page.call('progress', { id, epoch, reports })
  expect((await page.call('decide')).body.content).toEqual([])

  const text = await (await fetch(`${url}/metrics`)).text()
  const figure = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  expect(figure('usher_guidance_claims_total{outcome="granted"}')).toBe(1)
  expect(figure('usher_guidance_claims_total{outcome="claimed"}')).toBe(1)
  expect(figure('usher_guidance_reports_total{type="step_seen"}')).toBe(2)
  expect(figure('usher_guidance_reports_total{type="ended"}')).toBe(1)
  // A claim decides too.
  expect(figure('usher_guidance_decisions_total{outcome="content"}')).toBe(4)
  expect(figure('usher_guidance_decisions_total{outcome="nothing"}')).toBe(1)
  expect(figure('usher_page_streams')).toBe(1)
  expect(figure('usher_content_published')).toBe(1)
  expect(figure('usher_guidance_off_environments')).toBe(0)
})
