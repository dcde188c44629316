import { randomBytes } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { dropDatabase, makeTemplate, openServers, type ServerAddress } from './servers.ts'

/**
 * One real PostgreSQL for all test files, with a migrated template that each file clones: a clone takes 30 ms. It is the
 * embedded one, or that of `TEST_DATABASE_URL`.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const opened = await openServers(process.env, project.getProvidedContext().isLong)
  const { servers, isDistributed } = opened
  const template = uniqueName('usher_template')
  await makeTemplate(opened, template)
  project.provide('postgres', servers[0] as ServerAddress)
  project.provide('cluster', { servers, isDistributed, template })
  return async () => {
    await dropDatabase(servers, template)
    await opened.stop()
  }
}

declare module 'vitest' {
  export interface ProvidedContext {
    postgres: ServerAddress
    cluster: { servers: ServerAddress[]; isDistributed: boolean; template: string }
    /** Whether this is `npm run test:long`. */
    isLong: boolean
  }
}

/** A name that no other test file has. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${randomBytes(6).toString('hex')}`
}
