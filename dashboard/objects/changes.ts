import type { AttributeInputs } from '../../contract/attributes.ts'
import { call } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { type Collection, profileQuery } from './queries.ts'

type Target = { kind: Collection; environment: string; id: string }

/** The row shows the new value only after the server has answered. */
export async function changeAttributes({ kind, environment, id }: Target, attributes: AttributeInputs): Promise<void> {
  const profile =
    kind === 'users'
      ? await call('updateUser', { environment, user_id: id, attributes })
      : await call('updateGroup', { environment, group_id: id, attributes })
  queryClient.setQueryData(profileQuery(kind, environment, id).queryKey, profile)
  await queryClient.invalidateQueries({ queryKey: [environment, kind] })
}

export async function createObject({ kind, environment, id }: Target, attributes: AttributeInputs): Promise<void> {
  if (kind === 'users') await call('createUser', { environment, id, attributes })
  else await call('createGroup', { environment, id, attributes })
  await queryClient.invalidateQueries({ queryKey: [environment, kind] })
}

export async function deleteObject({ kind, environment, id }: Target): Promise<void> {
  if (kind === 'users') await call('deleteUser', { environment, user_id: id })
  else await call('deleteGroup', { environment, group_id: id })
  queryClient.removeQueries({ queryKey: profileQuery(kind, environment, id).queryKey })
  await queryClient.invalidateQueries({ queryKey: [environment, kind] })
}

/** `other` is a group of the user, or a member of the group. */
export async function joinGroup({ kind, environment, id }: Target, other: string): Promise<void> {
  await call('setMembership', { environment, ...ends(kind, id, other) })
  await reloadMemberships(environment)
}

export async function leaveGroup({ kind, environment, id }: Target, other: string): Promise<void> {
  await call('removeMembership', { environment, ...ends(kind, id, other) })
  await reloadMemberships(environment)
}

const ends = (kind: Collection, id: string, other: string) =>
  kind === 'users' ? { user_id: id, group_id: other } : { user_id: other, group_id: id }

/** Both ends show it. */
async function reloadMemberships(environment: string): Promise<void> {
  const kinds: Collection[] = ['users', 'groups']
  await Promise.all(kinds.map((kind) => queryClient.invalidateQueries({ queryKey: [environment, kind] })))
}

type Event = { name: string; attributes: AttributeInputs }

export async function trackEvent({ kind, environment, id }: Target, event: Event): Promise<void> {
  const about = kind === 'users' ? { user_id: id } : { group_id: id }
  await call('trackEvent', { environment, ...about, ...event })
  await queryClient.invalidateQueries({ queryKey: [environment, kind, 'timeline', id] })
}
