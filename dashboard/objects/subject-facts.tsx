import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type Subject = { user_id?: string | null; group_id?: string | null }

/** The user and the group that an event or a request is about, as links. */
export function subjectFacts(environment: string, { user_id, group_id }: Subject): [string, ReactNode][] {
  const facts: [string, ReactNode][] = []
  if (user_id)
    facts.push([
      'User',
      <Link key="user" className="link mono" to="/$environment/users/$userId" params={{ environment, userId: user_id }}>
        {user_id}
      </Link>,
    ])
  if (group_id)
    facts.push([
      'Group',
      <Link
        key="group"
        className="link mono"
        to="/$environment/groups/$groupId"
        params={{ environment, groupId: group_id }}
      >
        {group_id}
      </Link>,
    ])
  return facts
}
