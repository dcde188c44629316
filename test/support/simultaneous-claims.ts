import { expect } from 'vitest'
import type { Client } from './requests.ts'

/** Many browsers claim one content for one user at once, on several nodes. Exactly one of them gets it. */
export async function claimTogether(
  clients: readonly Client[],
  content: string,
  userId: string,
  count: number,
): Promise<string> {
  const claims = Array.from({ length: count }, (_, index) => {
    const client = clients[index % clients.length] as Client
    return client.post('/content_sessions', { content, user_id: userId, holder: `browser-${index}` })
  })
  const answers = await Promise.all(claims)
  const winners = answers.filter(({ status }) => status === 200)
  expect(answers.map(({ status }) => status).filter((status) => status !== 200 && status !== 409)).toEqual([])
  expect(winners).toHaveLength(1)
  return winners[0]?.body.id as string
}
