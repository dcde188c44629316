import { expect, it } from 'vitest'
import { exampleBanner, exampleLauncher } from '../contract/content/examples.ts'
import { tour } from './support/content.ts'
import { claimTogether } from './support/simultaneous-claims.ts'
import { useTwoNodes } from './support/two-nodes.ts'

const two = useTwoNodes()

async function publish(document: object): Promise<string> {
  const { id } = (await two.client.post('/content', document)).body
  const { status, body } = await two.client.post(`/content/${id}/publish`, {})
  expect([status, body.error?.message]).toEqual([200, undefined])
  return id
}

it('of 200 claims at once on two nodes exactly one wins, and a later one continues only when it has ended', async () => {
  await publish(tour('together'))
  const clients = [two.client, two.onSecondNode]
  for (let round = 0; round < 5; round += 1) {
    const user = `together-${round}`
    await two.client.post('/users', { id: user })
    const id = await claimTogether(clients, 'together', user, 200)
    const { data } = (await two.client.get(`/content_sessions?user_id=${user}`)).body
    expect(data).toEqual([])
    const seen = { holder: 'nobody', reports: [{ sequence: 1, type: 'step_seen', step: 'hello' }] }
    expect((await two.onSecondNode.post(`/content_sessions/${id}/progress`, seen)).body.last_activity_at).toBeNull()
  }
})

it('of many claims of a launcher at once exactly one wins, and another launcher is not in its way', async () => {
  await publish({ ...exampleLauncher, key: 'beacon', do: [] })
  await publish({ ...exampleLauncher, key: 'other-beacon', do: [] })
  await two.client.post('/users', { id: 'launched' })
  const clients = [two.client, two.onSecondNode]
  await claimTogether(clients, 'beacon', 'launched', 20)
  await claimTogether(clients, 'other-beacon', 'launched', 20)
})

it('two requests of one page at once store each report once, whichever node they reach', async () => {
  await publish({ ...exampleBanner, key: 'twice' })
  await two.client.post('/users', { id: 'twice' })
  const { id } = (await two.client.post('/content_sessions', { content: 'twice', user_id: 'twice', holder: 'h' })).body
  const body = { holder: 'h', epoch: 1, reports: [{ sequence: 1, type: 'shown' }] }
  const send = (index: number) =>
    [two.client, two.onSecondNode][index % 2]?.post(`/content_sessions/${id}/progress`, body)
  await Promise.all(Array.from({ length: 20 }, (_, index) => send(index)))
  const { data } = (await two.client.get('/events?user_id=twice')).body
  expect(data.map(({ name }: { name: string }) => name)).toEqual(['banner_seen'])
})

it('a publication counts with the next decision on another node, and a claim of the version before is refused there', async () => {
  const id = await publish(tour('published'))
  await two.client.post('/users', { id: 'reader' })
  const decide = async (client: typeof two.client) => {
    const { body } = await client.post('/decisions', { user_id: 'reader', content: 'published' })
    return body.content[0]?.version_id as string | undefined
  }
  for (let round = 0; round < 5; round += 1) {
    const before = await decide(two.onSecondNode)
    await two.client.post('/content', tour('published', { name: `Changed ${round}` }))
    const { body } = await two.client.post(`/content/${id}/publish`, { inside: 'end' })
    expect(await decide(two.onSecondNode)).toBe(body.published_version_id)
    const old = { content: 'published', user_id: 'reader', holder: 'h', version_id: before }
    expect((await two.onSecondNode.post('/content_sessions', old)).body.error.code).toBe('version_changed')
  }
  await two.client.post(`/content/${id}/unpublish`, {})
  expect(await decide(two.onSecondNode)).toBeUndefined()
})
