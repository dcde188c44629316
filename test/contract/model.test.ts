import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AttributeInputs, Attributes } from '../../contract/attributes.ts'
import { attributeInputs, modelMerge } from '../support/attribute-inputs.ts'
import { startTestServer, type TestServer } from '../support/client.ts'

interface History {
  id: string
  requests: AttributeInputs[]
}

/** Sends the requests of one object one after the other, and checks every answer against the model. */
async function follow({ client }: TestServer, path: string, { id, requests }: History): Promise<void> {
  let stored: Attributes = {}
  for (const attributes of requests) {
    const expected = modelMerge(stored, attributes)
    const { status, body } = await client.post(path, { id, attributes })
    expect([attributes, status]).toEqual([attributes, expected ? 200 : 400])
    if (!expected) continue
    stored = expected
    expect(body.attributes).toEqual(stored)
  }
  const read = await client.get(`${path}/${id}`)
  if (read.status === 200) expect(read.body.attributes).toEqual(stored)
}

it.each(['/users', '/groups'])('random sequences on many %s at once leave what the model says', async (path) => {
  const server = await startTestServer()
  const histories = fc
    .sample(fc.array(attributeInputs, { minLength: 1, maxLength: 12 }), { numRuns: 60, seed: 20_200_103 })
    .map((requests, index) => ({ id: `o${index}`, requests }))
  await Promise.all(histories.map((history) => follow(server, path, history)))
  await server.close()
})
