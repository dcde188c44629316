import { one, present, text } from '../search.ts'
import type { ContentOfUser } from './queries.ts'

export type UserState = ContentOfUser['state']

const STATES = ['open', 'next', 'seen', 'hidden'] as const satisfies UserState[]

export type ContentOfUserSearch = { open?: string | undefined; show?: UserState | undefined }

/** Which content is beside the list, and which state the list shows. */
export const readContentOfUserSearch = (search: Record<string, unknown>): ContentOfUserSearch =>
  present({ open: text(search.open), show: one(search.show, STATES) })
