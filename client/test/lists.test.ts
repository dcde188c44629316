import { expect, it } from 'vitest'
import { Usher, UsherError } from '../src/index.ts'
import { answer, scripted } from './support.ts'

/** A server whose pages are named by what they come after; each leads to the one that is given for it. */
async function listOf(leadsTo: (after: string | null) => string | undefined) {
  const { url, seen } = await scripted((response, { url: path }) => {
    const after = new URL(path, 'http://server').searchParams.get('starting_after')
    const next = leadsTo(after)
    const page = { object: 'list', data: [{ id: `${after}` }], has_more: next !== undefined, url: path }
    answer(200, { ...page, next_page_url: next ?? path })(response)
  })
  const usher = new Usher({ baseUrl: url, apiKey: 'ak_1' })
  return { list: usher.users.list({ limit: 1 }), seen }
}

it.each<[string, string[]]>([
  ['the first page again', ['']],
  ['one page again', ['a', 'a']],
  ['two pages again', ['a', 'b', 'a']],
  ['three pages again, after two others', ['a', 'b', 'c', 'd', 'e', 'c']],
])('an iteration ends with an error when the server sends %s and again', async (_, round) => {
  const next = new Map(round.map((after, index) => [index === 0 ? null : round[index - 1], after]))
  const { list, seen } = await listOf((after) => {
    const to = next.get(after)
    return to === '' ? '/users' : `/users?limit=1&starting_after=${to}`
  })
  const walked: string[] = []
  const walk = async () => {
    for await (const { id } of list) walked.push(id)
  }
  const error = await walk().catch((thrown: unknown) => thrown)
  expect(error).toBeInstanceOf(UsherError)
  expect((error as Error).message).toBe('/users: the server sends the same pages of the list again')
  expect(walked).toHaveLength(seen.length)
  expect(seen.length).toBeLessThan(4 * round.length)
})

it('an iteration reads each of 100 pages once', async () => {
  const { list, seen } = await listOf((after) => {
    const to = Number(after) + 1
    return to < 100 ? `/users?limit=1&starting_after=${to}` : undefined
  })
  expect(await list.toArray({ limit: 100 })).toHaveLength(100)
  expect(seen).toHaveLength(100)
})
