import { it } from 'vitest'
import { tour } from '../support/content.ts'
import { claimTogether } from '../support/simultaneous-claims.ts'
import { useTwoNodes } from '../support/two-nodes.ts'

const two = useTwoNodes()

it('of 200 claims at once on two nodes exactly one wins, a thousand times', { timeout: 900_000 }, async () => {
  const { id } = (await two.client.post('/content', tour('together'))).body
  await two.client.post(`/content/${id}/publish`, {})
  for (let count = 0; count < 1_000; count += 1) {
    await two.client.post('/users', { id: `user-${count}` })
    await claimTogether([two.client, two.onSecondNode], 'together', `user-${count}`, 200)
  }
})
