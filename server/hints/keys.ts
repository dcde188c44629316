import { hash } from 'node:crypto'
import type { EnvironmentId } from '../database/database.ts'

/** Names a user or a group between nodes, without its id: 66 bits of a hash. */
export function hintKey(environmentId: EnvironmentId, kind: 'user' | 'group', id: string): string {
  return hash('sha256', `${environmentId} ${kind} ${id}`, 'base64url').slice(0, 11)
}
