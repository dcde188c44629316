import type { SearchResult } from '../../contract/dashboard/search.ts'
import { listContentRows } from '../content/queries.ts'
import type { ContentRow } from '../content/rows.ts'
import type { Database, EnvironmentId } from '../database/database.ts'
import { findSegments } from '../segments/queries.ts'

type Users = SearchResult['users']

const MOST = 8

/** A question in the words of people: why does Ada not see Welcome? Why ada welcome. */
const WHY = /^why\s+(?:does(?:n[’']t)?\s+|did\s+)?(.+)$/i
const VERB = /\s+(?:does\s+not\s+|doesn[’']t\s+|not\s+)?(?:sees?|saw|seen)\b\s*/i

/** Content and segments by a word of their names, or by their keys. */
export async function searchContent(database: Database, id: EnvironmentId, q: string) {
  const [content, segments] = await Promise.all([listContentRows(database, id), findSegments(database, id)])
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
  const rest = WHY.exec(q.replace(/\?+$/, '').trim())?.[1]
  if (rest === undefined) return undefined
  const [user = '', content = ''] = rest.split(VERB)
  return user.trim() === '' ? undefined : { user: user.replace(/\s+not$/i, '').trim(), content: content.trim() }
}

const pairOf = ({ id, name }: Users[number], content: ContentRow) => ({
  ...{ user_id: id, user_name: name, content_id: content.id, content_name: content.name },
})

function isNamed({ key, name }: { key: string; name: string }, q: string): boolean {
  const text = q.toLowerCase()
  const whole = name.toLowerCase()
  return key.startsWith(text) || whole.startsWith(text) || whole.includes(` ${text}`)
}
