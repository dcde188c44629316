import type { Collection, Profile } from './queries.ts'

type Words = { one: string; many: string; title: string; search: string; other: string; scope: 'user' | 'group' }

/** The words for users and groups. */
export const WORDS: Record<Collection, Words> = {
  users: {
    one: 'user',
    many: 'users',
    title: 'Users',
    search: 'Id, e-mail or name begins with…',
    other: 'Memberships',
    scope: 'user',
  },
  groups: {
    one: 'group',
    many: 'groups',
    title: 'Groups',
    search: 'Id or name begins with…',
    other: 'Members',
    scope: 'group',
  },
}

export const nameOf = (attributes: Record<string, unknown>): string | undefined =>
  typeof attributes.name === 'string' && attributes.name.trim() !== '' ? attributes.name : undefined

export const emailOf = (attributes: Record<string, unknown>): string | undefined =>
  typeof attributes.email === 'string' ? attributes.email : undefined

/** Own attributes only: `constructor` is a valid name, and every object inherits it. */
export const attributeOf = <Value>(attributes: Readonly<Record<string, Value>>, name: string): Value | undefined =>
  Object.hasOwn(attributes, name) ? attributes[name] : undefined

/** An attribute of a profile, if it is a text. */
export function textOf(profile: Profile | undefined, name: string): string | undefined {
  const value = profile?.attributes.find((row) => row.name === name)?.value
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
