import { encodePosition } from '../../server/lists/page.ts'
import { type Bench, type Site, USERS } from '../bench.ts'
import { type Comparison, compare } from '../compare.ts'
import { createdAt } from '../seed.ts'
import type { Traffic } from '../traffic.ts'
import { requestMaker, userId } from '../traffic.ts'
import type { Row } from './row.ts'

/** The rows that compare a request with a bare Fastify that answers an object of the same size. */

export const EVENT: Traffic = {
  method: 'POST',
  path: '/events',
  body: '{"name":"project_created","user_id":"user_{n}","attributes":{"plan":"growth","seats":{r},"billed":true}}',
  users: USERS,
}

/** Changes no attribute that lists are sorted by: these cost an index entry when they change. */
export const EXISTING_USER: Traffic = {
  method: 'POST',
  path: '/users',
  body: '{"id":"user_{n}","attributes":{"plan":"growth","seats":{r},"active":true,"locale":"en-GB"}}',
  users: USERS,
}

export const NEW_USER: Traffic = {
  method: 'POST',
  path: '/users',
  body: '{"id":"user_{n}","attributes":{"name":"Person {n}","email":"person{n}@example.com","plan":"growth","seats":{r}}}',
  users: 'new',
}

const LINKED_USER: Traffic = {
  method: 'POST',
  path: '/users',
  body: '{"id":"user_{n}","attributes":{"seats":{r}},"memberships":[{"group":{"id":"group_{g}","attributes":{"seats":{r}}},"attributes":{"role":"admin","visits":{r}}},{"group":{"id":"group_{h}"},"attributes":{"role":"member","visits":{r}}}]}',
  users: USERS,
}

export const GET_USER: Traffic = { method: 'GET', path: '/users/user_{n}', users: USERS }
export const LIST: Traffic = { method: 'GET', path: '/users?limit=100', users: USERS }
const EXPANDED_LIST: Traffic = { method: 'GET', path: '/users?limit=100&expand=memberships.group', users: USERS }

/** Far more pages than clients, as in `next_page_url`, so that clients rarely request the same page at once. */
const apart = ({ path, ...rest }: Traffic): Traffic => ({ ...rest, path: `${path}&{p}`, pages: PAGES })
const PAGES = Array.from({ length: 2_000 }, (_, index) => {
  const id = userId(index * 4)
  const position = encodePosition([{ name: 'created_at', descending: false }], { values: [createdAt(index * 4)], id })
  return `position=${position}&starting_after=${id}`
})

export const requestRows: Row[] = [
  row('post-events', 'POST /events, 10,000 users, 3 attributes', 0.95, EVENT),
  row('post-users-existing', 'POST /users, existing user, 4 attributes', 0.85, EXISTING_USER),
  row('post-users-new', 'POST /users, new users', 0.55, NEW_USER),
  row('post-users-groups', 'POST /users with two groups and membership attributes', 0.4, LINKED_USER),
  row('get-user', 'GET /users/:id', 0.8, GET_USER),
  row('list-users', 'GET /users?limit=100', 0.3, LIST),
  row('list-users-expanded', 'GET /users?limit=100&expand=memberships.group, 3 groups each', 0.12, EXPANDED_LIST),
  row('list-users-apart', 'the same list, but every client another page of it', 0.45, apart(LIST)),
  row(
    'list-users-expanded-apart',
    'the same expanded list, but every client another page of it',
    0.35,
    apart(EXPANDED_LIST),
  ),
]

function row(name: string, work: string, least: number, traffic: Traffic): Row {
  return {
    name,
    work,
    target: { least },
    againstBare: true,
    measure: async (bench) => {
      const comparison = await againstBare(bench, await bench.site(), traffic)
      return { value: comparison.ratio, comparison }
    },
  }
}

/** The yardstick answers what the server has answered, so that the sizes agree. */
export async function againstBare(
  bench: Bench,
  { server, database }: Site,
  traffic: Traffic,
  afterSlice?: (requests: number) => Promise<void>,
): Promise<Comparison> {
  const bare = bench.child<unknown, number>('bare')
  const port = await bare.ask(await exampleAnswer(server.address, traffic))
  return await compare(
    bench,
    { port: server.port, pid: server.pid, database, traffic, afterSlice },
    { port, pid: bare.pid, traffic },
    { timed: true },
  )
}

export async function exampleAnswer(address: string, traffic: Traffic): Promise<unknown> {
  const [head, body] = requestMaker(traffic)().split('\r\n\r\n') as [string, string]
  const [first, ...lines] = head.split('\r\n') as [string, ...string[]]
  const headers = lines.map((line) => line.split(': ') as [string, string])
  const response = await fetch(address + first.split(' ')[1], {
    method: traffic.method,
    headers: headers.filter(([name]) => name !== 'host' && name !== 'content-length'),
    ...(body && { body }),
  })
  if (response.status !== 200) throw new Error(`${traffic.path} answered ${response.status}: ${await response.text()}`)
  return await response.json()
}
