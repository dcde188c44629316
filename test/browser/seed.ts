import type { TestServer } from '../support/client.ts'

/** What a small application would have sent: users, a group, events, and requests that were refused. */
export async function seed({ client, services }: TestServer, users = 12): Promise<void> {
  for (let index = 1; index <= users; index++) {
    await client.post('/users', {
      id: `u_${index}`,
      attributes: {
        ...(index === 7 ? {} : { name: `Ada Okafor ${index}` }),
        email: `ada.${index}@kestrel.example`,
        plan: index % 3 === 0 ? 'starter' : 'growth',
        seats: index * 7,
        two_factor: index % 2 === 0,
        last_seen_at: new Date().toISOString(),
      },
      memberships: [{ attributes: { role: 'owner' }, group: { id: 'g_1', attributes: { name: 'Kestrel Freight' } } }],
    })
    await client.post('/events', {
      name: index % 2 === 0 ? 'task_completed' : 'page_viewed',
      user_id: `u_${index}`,
      attributes: { project: 'Q4 manifest', duration_s: index, trial: index > 6 },
    })
  }
  await client.post('/users', { id: 'u_1', attributes: { seats: 'many' } })
  await client.post('/users', { id: 'u_1', attributes: { seats: { add: '24' } } })
  // A page that shows how many users there are does not ask again.
  await services.counters.flush()
}
