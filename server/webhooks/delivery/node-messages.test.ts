import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../../test/support/database.ts'
import { silent } from '../../../test/support/log.ts'
import { notify } from '../../database/channel.ts'
import { NodeMessages } from './node-messages.ts'

it('a message about something that is no environment is ignored, and the next one is received', async () => {
  const test = await createTestDatabase()
  onTestFinished(() => test.close())
  const received: unknown[] = []
  const messages = new NodeMessages(test.database, silent, {
    onDue: (id) => received.push(id),
    onChanged: (id, subscriptionId) => received.push([id, subscriptionId]),
  })
  onTestFinished(() => messages.close())
  await messages.open()
  for (const payload of ['', 'x', 'x due', 'x due y -1 1.5 99999999999', 'x changed y z', 'x due 7', 'x changed 7 z'])
    await notify(test.database, 'usher_deliveries', payload)
  await expect.poll(() => received).toEqual([7, [7, 'z']])
})
