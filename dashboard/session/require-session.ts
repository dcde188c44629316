import { redirect } from '@tanstack/react-router'
import { ApiError } from '../api.ts'
import { queryClient } from '../query-client.ts'
import { type Session, sessionQuery } from './queries.ts'

/** The session, or a redirect to sign-in and back. */
export async function requireSession(back: string): Promise<Session> {
  try {
    return await queryClient.ensureQueryData(sessionQuery)
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) throw redirect({ to: '/sign-in', search: { back } })
    throw error
  }
}
