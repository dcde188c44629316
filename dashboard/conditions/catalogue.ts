import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Output } from '../../contract/dashboard/operations.ts'
import { call } from '../api.ts'
import { contentListQuery } from '../content/queries.ts'
import { segmentsQuery } from '../segments/queries.ts'

export type DataType = 'string' | 'number' | 'boolean' | 'datetime'
export type Of = 'user' | 'group' | 'membership'

export interface KnownAttribute {
  name: string
  type: DataType
  of: Of | 'event'
}

export interface KnownContent {
  key: string
  name: string
  questions: readonly { key: string; label: string; kind: string }[]
}

/** What the lists of the builder offer. */
export interface Catalogue {
  attributes: readonly KnownAttribute[]
  events: readonly string[]
  segments: readonly { key: string; name: string; scope: 'user' | 'group' }[]
  contents: readonly KnownContent[]
}

const PAGE = 100
/** Names that nobody has typed in a list of 1,000 are found by typing them. */
const MOST_PAGES = 10
const FRESH_MS = 60_000

/** Definitions rarely change: read once, and kept while pages with a builder are open. */
const definitionsQuery = (environment: string) =>
  queryOptions({
    queryKey: [environment, 'condition-definitions'],
    queryFn: async ({ signal }) => {
      const [attributes, events] = await Promise.all([
        allPages((cursor) =>
          call('listAttributeDefinitions', { environment, limit: PAGE, order_by: 'name', ...cursor }, signal),
        ),
        allPages((cursor) =>
          call('listEventDefinitions', { environment, limit: PAGE, order_by: 'name', ...cursor }, signal),
        ),
      ])
      return { attributes: attributes.map(knownAttribute), events: events.map(({ name }) => name) }
    },
    staleTime: FRESH_MS,
  })

async function allPages<Item>(
  read: (cursor: { cursor?: string }) => Promise<{ data: Item[]; next: string | null }>,
): Promise<Item[]> {
  const all: Item[] = []
  let next: string | null = ''
  for (let page = 0; page < MOST_PAGES && next !== null; page++) {
    const answer: { data: Item[]; next: string | null } = await read(next === '' ? {} : { cursor: next })
    all.push(...answer.data)
    next = answer.next
  }
  return all
}

type Definition = Output<'listAttributeDefinitions'>['data'][number]

function knownAttribute({ name, data_type, scope }: Definition): KnownAttribute {
  const of = scope === 'group_membership' ? 'membership' : scope
  return { name, type: data_type as DataType, of }
}

/** `except`: a segment that is edited is not offered to itself. */
export function useCatalogue(environment: string, except?: string): Catalogue {
  const definitions = useQuery(definitionsQuery(environment)).data
  const segments = useQuery(segmentsQuery(environment)).data
  const contents = useQuery(contentListQuery(environment)).data
  return {
    attributes: definitions?.attributes ?? [],
    events: definitions?.events ?? [],
    segments: (segments?.data ?? []).filter(({ key }) => key !== except),
    contents: contents?.data ?? [],
  }
}

/** Scores are numbers; choices and texts are text. */
export function answerTypeOf({ contents }: Catalogue, content: string, question: string): DataType {
  const found = contents.find(({ key }) => key === content)?.questions.find(({ key }) => key === question)
  return found?.kind === 'nps' || found?.kind === 'rating' ? 'number' : 'string'
}

export function typeOf({ attributes }: Catalogue, name: string, of: KnownAttribute['of']): DataType {
  return attributes.find((each) => each.name === name && each.of === of)?.type ?? 'string'
}
