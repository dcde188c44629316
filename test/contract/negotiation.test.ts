import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../support/client.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe('Accept', () => {
  it.each([
    '*/*',
    'application/*',
    'application/json',
    'application/json;q=0.1',
    'text/html, */*;q=0.1',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'text/html,application/json;q=0.9',
    '',
    'application/json;q=1;x=y',
  ])('%j is fine', async (accept) => {
    expect((await server.client.get('/users', { accept })).status).toBe(200)
  })

  it.each([
    'text/html',
    'application/xml',
    'text/*',
    'application/json;q=0',
    '*/*;q=0',
    'application/*;q=0.0',
    'image/png, text/plain',
    '*/*, application/json;q=0',
    'nonsense',
    'application/jsonx',
  ])('%j is 406', async (accept) => {
    const { status, body } = await server.client.get('/users', { accept })
    expect([status, body.error.code]).toEqual([406, 'not_acceptable'])
  })
})

describe('Content-Type', () => {
  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;charset=UTF-8',
  ])('%j is fine', async (type) => {
    expect((await server.client.post('/users', { id: 'u' }, { 'content-type': type })).status).toBe(200)
  })

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'json',
    '',
    'multipart/form-data; boundary=x',
    'text/json',
    'application/vnd.api+json',
  ])('%j of a POST is 415', async (type) => {
    const { status, body } = await server.client.post('/users', { id: 'u' }, { 'content-type': type })
    expect([status, body.error.code]).toEqual([415, 'unsupported_media_type'])
  })

  it('of a GET or DELETE without body is not looked at', async () => {
    const { client } = server
    for (const type of ['application/json', 'text/plain']) {
      expect((await client.get('/users', { 'content-type': type })).status).toBe(200)
      expect((await client.delete('/users/u', { 'content-type': type, 'content-length': '0' })).status).toBe(200)
    }
    expect((await client.send('DELETE', '/users/u', '{"a":1}')).status).toBe(200)
    expect((await client.send('DELETE', '/users/u', 'not json')).status).toBe(200)
  })
})

describe('Service-Version', () => {
  it('is 2020-01-03 or absent', async () => {
    expect((await server.client.get('/users', { 'service-version': '2020-01-03' })).status).toBe(200)
    for (const version of ['2020-01-04', 'latest', '', 'constructor', '2020-01-03, 2020-01-03']) {
      const { status, body } = await server.client.get('/users', { 'service-version': version })
      expect([status, body.error]).toMatchObject([
        400,
        { code: 'invalid_params', message: 'Service-Version: must be one of 2020-01-03, or absent' },
      ])
    }
  })
})
