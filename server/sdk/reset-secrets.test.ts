import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestServer, type TestServer } from '../../test/support/client.ts'
import { openPublicSide } from '../../test/support/page.ts'
import { SecretBox } from '../secrets/secret-box.ts'
import { findPublicSides } from './directory-queries.ts'
import { resetPublicSecrets } from './reset-secrets.ts'
import { visitorKeyPlace } from './settings.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(async () => await server.close())

it('after the loss of the key every environment has a new visitor key, no identity secret, and requires no proof', async () => {
  const lost = new SecretBox(randomBytes(32))
  const secrets = { box: lost } as TestServer['services']['secrets']
  const services = { database: server.database, secrets }
  const { token } = await openPublicSide(services, server.environmentId, { identity: 'required' })
  const box = new SecretBox(randomBytes(32))
  await resetPublicSecrets(server.database, box)
  const [side] = await findPublicSides(server.database, [token])
  expect(side).toMatchObject({ identity: 'report', secrets: [] })
  expect(box.open(side?.visitor_key ?? '', visitorKeyPlace(server.environmentId))).toHaveLength(43)
})
