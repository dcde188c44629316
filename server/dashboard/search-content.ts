import type { SearchResult } from '../../contract/dashboard/search.ts'
import { listContentRows } from '../content/queries.ts'
import type { ContentRow } from '../content/rows.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findSegmentNames } from '../segments/queries.ts'

type Users = SearchResult['users']

const MOST = 8

/** The words of a question: why does Ada not see Welcome? Why ada welcome. */
const AUXILIARIES: readonly string[] = ['does', 'did', 'doesn’t', "doesn't"]
const VERBS: readonly string[] = ['see', 'sees', 'saw', 'seen']

/** Content and segments by a word of their names, or by their keys. */
export async function searchContent(database: Database, id: EnvironmentId, q: string) {
  const [content, segments] = await Promise.all([listContentRows(database, id), findSegmentNames(database, id)])
  return {
    content: content
      .filter((row) => isNamed(row, q))
      .slice(0, MOST)
      .map(({ id: contentId, name, type }) => ({ id: contentId, name, type })),
    segments: segments
      .filter((row) => isNamed(row, q))
      .slice(0, MOST)
      .map(({ id: segmentId, name }) => ({ id: segmentId, name })),
  }
}

/** Receipts for the users and the content that a question names; of a user alone, for all that is published. */
export async function searchWhy(
  database: Database,
  id: EnvironmentId,
  q: string,
  findUsers: (text: string) => Promise<Users>,
): Promise<SearchResult['why']> {
  const asked = questionOf(q)
  if (!asked) return []
  const [users, rows] = await Promise.all([findUsers(asked.user), listContentRows(database, id)])
  const published = rows.filter(({ published_version_id }) => published_version_id !== null)
  const content = asked.content === '' ? published : rows.filter((row) => isNamed(row, asked.content))
  return users.flatMap((user) => content.map((row) => pairOf(user, row))).slice(0, MOST)
}

export function questionOf(q: string): { user: string; content: string } | undefined {
  const [why, ...words] = q.split(/\s/).filter((word) => word !== '')
  if (why?.toLowerCase() !== 'why') return undefined
  if (isOf(AUXILIARIES, words[0])) words.shift()
  const verb = words.findIndex((word) => isOf(VERBS, word))
  const user = verb === -1 ? words : words.slice(0, verb)
  const content = verb === -1 ? [] : words.slice(verb + 1)
  while (isOf([...AUXILIARIES, 'not'], user.at(-1))) user.pop()
  const named = { user: withoutMark(user.join(' ')), content: withoutMark(content.join(' ')) }
  return named.user === '' ? undefined : named
}

const isOf = (list: readonly string[], word = '') => list.includes(withoutMark(word.toLowerCase()))

function withoutMark(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '?') end -= 1
  return text.slice(0, end).trimEnd()
}

const pairOf = ({ id, name }: Users[number], content: ContentRow) => ({
  user_id: id,
  user_name: name,
  content_id: content.id,
  content_name: content.name,
})

function isNamed({ key, name }: { key: string; name: string }, q: string): boolean {
  const text = q.toLowerCase()
  const whole = name.toLowerCase()
  return key.startsWith(text) || whole.startsWith(text) || whole.includes(` ${text}`)
}
