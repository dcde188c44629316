import type { Snippets } from '../parts/code-block.tsx'

/** The first calls in three languages, with the key in place. */
export function userSnippets(api: string, key: string): Snippets {
  return {
    curl: `curl ${api}/users \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"id":"u_1","attributes":{"name":"Ada","email":"ada@example.com"}}'`,
    TypeScript: `await fetch('${api}/users', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${key}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({ id: 'u_1', attributes: { name: 'Ada', email: 'ada@example.com' } }),
})`,
    Python: `import requests

requests.post(
    "${api}/users",
    headers={"Authorization": "Bearer ${key}"},
    json={"id": "u_1", "attributes": {"name": "Ada", "email": "ada@example.com"}},
)`,
  }
}

export function eventSnippets(api: string, key: string): Snippets {
  return {
    curl: `curl ${api}/events \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -d '{"name":"subscription_activated","user_id":"u_1","attributes":{"plan":"growth","seats":3}}'`,
    TypeScript: `await fetch('${api}/events', {
  method: 'POST',
  headers: {
    authorization: 'Bearer ${key}',
    'content-type': 'application/json',
  },
  body: JSON.stringify({
    name: 'subscription_activated',
    user_id: 'u_1',
    attributes: { plan: 'growth', seats: 3 },
  }),
})`,
    Python: `import requests

requests.post(
    "${api}/events",
    headers={"Authorization": "Bearer ${key}"},
    json={
        "name": "subscription_activated",
        "user_id": "u_1",
        "attributes": {"plan": "growth", "seats": 3},
    },
)`,
  }
}
