import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'
import type { Json } from '../support/requests.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

const ids = (objects: Json[]) => objects.map(({ id }) => id)

describe('the export of a user', () => {
  it('has everything about the user in the bytes of the API, over many pages, and nothing about others', async () => {
    const { client } = server
    const subscription = await client.post('/webhook_subscriptions', {
      url: 'http://127.0.0.1:9/hooks',
      topics: ['user', 'event'],
    })
    const groups = Array.from({ length: 3 }, (_, index) => ({ id: `g"${index}`, attributes: { n: index } }))
    await client.post('/users', { id: 'p/1', attributes: { name: 'Ada "L"', at: '2026-01-03' }, groups })
    await client.post('/users', { id: 'other', attributes: { name: 'secret' }, groups: [{ id: 'g"0' }] })
    await client.post('/events', { name: 'secret', user_id: 'other' })
    await client.post('/events', { name: 'secret', group_id: 'g"0' })
    const tracked: Json[] = []
    for (let batch = 0; batch < 5; batch += 1) {
      const event = (index: number) => ({ name: 'seen', user_id: 'p/1', time: '2020-01-01', attributes: { index } })
      const answers = await Promise.all(
        Array.from({ length: 90 }, (_, index) => client.post('/events', event(batch * 90 + index))),
      )
      tracked.push(...answers.map(({ body }) => body))
    }
    const { status, body, text } = await client.get('/users/p%2F1/export')
    expect(status).toBe(200)
    expect(body.user).toEqual((await client.get('/users/p%2F1')).body)
    const read = (await client.get('/users/p%2F1?expand=memberships.group')).body.memberships
    expect(body.memberships).toEqual(read.toSorted((a: Json, b: Json) => (a.group_id < b.group_id ? -1 : 1)))
    expect(ids(body.events)).toEqual(ids(tracked).toSorted())
    expect(body.events).toContainEqual(tracked[0])
    expect(body.webhook_notifications).toHaveLength(451)
    expect(body.webhook_notifications.map(({ topic }: Json) => topic)).toContain('user.created')
    expect(text).not.toContain('secret')
    await client.delete(`/webhook_subscriptions/${subscription.body.id}`)
  })

  it('holds the events of a user that was never created', async () => {
    const { client } = server
    const event = (await client.post('/events', { name: 'x', user_id: 'ghost' })).body
    const { body } = await client.get('/users/ghost/export')
    expect(body).toMatchObject({ user: null, memberships: [], events: [event] })
  })

  it('is 404 when nothing is held, also when it is held in another environment, and after a delete', async () => {
    const { client, otherClient } = server
    await client.post('/users', { id: 'here', attributes: { a: 1 } })
    await client.post('/events', { name: 'x', user_id: 'here' })
    expect((await client.get('/users/here/export')).status).toBe(200)
    expect((await otherClient.get('/users/here/export')).status).toBe(404)
    expect((await client.get('/users/nobody/export')).status).toBe(404)
    await client.delete('/users/here')
    expect((await client.get('/users/here/export')).status).toBe(404)
  })

  it('treats SQL as an id', async () => {
    for (const id of ["' or true --", '$1', '%', '\\'])
      expect((await server.client.get(`/users/${encodeURIComponent(id)}/export`)).status).toBe(404)
  })
})
