import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type OperationName, paths, type Role, roles } from '../../contract/dashboard/paths.ts'
import { type Session, sessionQuery } from './queries.ts'

export const useSession = (): Session => useSuspenseQuery(sessionQuery).data

export type Environment = Session['environments'][number]

/** The environment of the address. */
export function useEnvironment(): Environment {
  const { environments } = useSession()
  const { environment } = useParams({ from: '/$environment' })
  const found = environments.find(({ slug }) => slug === environment)
  if (!found) throw new Error(`There is no environment ${environment}.`)
  return found
}

/** Why the member may not do this, or undefined. The server refuses it too. */
export function useReason(name: OperationName): string | undefined {
  const { member } = useSession()
  const needed = paths[name].role
  return needed === 'anyone' || atLeast(member.role, needed) ? undefined : `Needs the role ${needed}`
}

export const atLeast = (role: Role, needed: Role): boolean => roles.indexOf(role) >= roles.indexOf(needed)
