import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limits } from '../../contract/limits.ts'
import { newKey } from '../../server/accounts/keys.ts'
import { buildDocument } from '../../server/openapi/document.ts'
import type { Parameter } from '../../server/openapi/types.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

/** Every route of the OpenAPI document, whatever it is about. */
const routes = Object.entries(buildDocument().paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    method: method.toUpperCase(),
    template: path,
    path: path.replace(/\{\w+\}/g, 'some_id'),
    hasBody: operation.requestBody !== undefined,
    needsBody: operation.requestBody?.required === true,
    query: operation.parameters
      .filter((one): one is Parameter => 'in' in one && one.in === 'query')
      .map(({ name }) => name),
  })),
)

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

describe.each(routes)('$method $template', ({ method, template, path, hasBody, needsBody, query }) => {
  const body = hasBody ? '{}' : undefined
  const refusal = async (address: string, sent: string | undefined, headers = {}) => {
    const { status, body: answer } = await server.client.send(method, address, sent, headers)
    return [status, answer.error?.code]
  }

  it('without a valid key is 401', async () => {
    const { key } = server
    const strangers = [undefined, '', 'Bearer', 'Bearer ', `Basic ${key}`, key, `Bearer ${key}x`, `Bearer ${newKey()}`]
    for (const authorization of [
      ...strangers,
      `Bearer ${key} ${key}`,
      `Bearer ${'x'.repeat(5_000)}`,
      "Bearer ' or 1=1 --",
    ]) {
      const { status, headers, body: answer } = await server.client.send(method, path, undefined, { authorization })
      expect([authorization, status, answer.error.code]).toEqual([authorization, 401, 'invalid_api_key'])
      expect(headers['www-authenticate']).toContain('Bearer')
    }
  })

  it('with a version, format or id that does not exist is a 4xx in the envelope', async () => {
    expect(await refusal(path, body, { 'service-version': '1999-01-01' })).toEqual([400, 'invalid_params'])
    expect(await refusal(path, body, { accept: 'text/html' })).toEqual([406, 'not_acceptable'])
    if (template === path) return
    for (const id of ['%zz', '%00', '%0a', 'x'.repeat(256), '%F0%9F%91%BE'.repeat(256)])
      expect([id, ...(await refusal(template.replace(/\{\w+\}/g, id), body))]).toEqual([id, 400, 'invalid_params'])
  })

  if (hasBody)
    it('with a body that is not what it takes is a 4xx in the envelope', async () => {
      for (const text of [
        '[]',
        'null',
        '5',
        '{"unknown":1}',
        '{"id":{},"unknown":{}}',
        '{"id":5,"name":5,"url":5,"topics":5}',
      ])
        expect([text, ...(await refusal(path, text))]).toEqual([text, 400, 'invalid_params'])
      for (const text of ['{', 'undefined', ...(needsBody ? [''] : [])])
        expect([text, ...(await refusal(path, text))]).toEqual([text, 400, 'invalid_json'])
      expect(await refusal(path, '{}', { 'content-type': 'text/plain' })).toEqual([415, 'unsupported_media_type'])
      const most = ['/batch', '/content/push'].includes(path) ? limits.batchBodyBytes : limits.bodyBytes
      expect(await refusal(path, `{"id":"${'x'.repeat(most)}"}`)).toEqual([413, 'payload_too_large'])
    })

  if (query.length > 0)
    it('with a query that is not what it takes is a 4xx in the envelope', async () => {
      const wrong = [
        'limit=0',
        'limit=x',
        'order_by=nothing',
        'order_by[]=id&order_by[]=',
        'starting_after=nobody',
        'expand=nothing',
        'scope=nothing',
        'email=%00',
        'user_id=%00',
        'group_id=%00',
        'event_name=%00',
      ]
      for (const text of wrong.filter((one) => query.some((name) => one.startsWith(name.replace('[]', '')))))
        expect([text, ...(await refusal(`${path}?${text}`, body))]).toEqual([text, 400, 'invalid_params'])
    })
})
