import { expect, it } from 'vitest'
import { createEmptyDatabase } from '../../test/support/database.ts'
import { APPLICATION_NAME } from './database.ts'
import { isInUse } from './in-use.ts'
import { openSession } from './session.ts'

it('a database is in use while a server is connected, and not by the sessions of one that is ending', async () => {
  const { connection, close } = await createEmptyDatabase()
  const client = await openSession(connection)
  const server = await openSession(connection, { application_name: APPLICATION_NAME })
  expect(await isInUse(client)).toBe(true)
  const asked = isInUse(client)
  // Answered after the first question, which has seen the server.
  await client.query('select')
  await server.end()
  expect(await asked).toBe(false)
  await client.end()
  await close()
})
