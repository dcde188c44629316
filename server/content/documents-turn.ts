import type { EnvironmentId } from '../database/database.ts'
import type { ExpandTree } from '../expand/paths.ts'
import { CONCURRENCY, ConcurrencyLimiter } from '../limits/concurrency-limiter.ts'
import { showsDocument } from './views.ts'

/**
 * A page of a hundred contents with the documents of both versions, and of those of their contents, takes 0.2 GB until it is
 * answered: 60 of them at once took 2 GB, and none was answered in time.
 */
const MOST_AT_ONCE = 2
const limiter = new ConcurrencyLimiter({ ...CONCURRENCY, mostActive: MOST_AT_ONCE })

/** Reads and renders a page. Where it shows documents, a few do so at a time, environments in turn. Who waits for 15 s is refused. */
export async function inDocumentsTurn<T>(
  environmentId: EnvironmentId,
  expand: ExpandTree,
  read: () => Promise<T>,
): Promise<T> {
  if (!showsAnyDocument(expand)) return await read()
  if (!limiter.tryEnter(environmentId)) await limiter.wait(environmentId).admitted
  try {
    return await read()
  } finally {
    limiter.leave(environmentId)
  }
}

const showsAnyDocument = (expand: ExpandTree): boolean =>
  showsDocument(expand) || expand.values().some((below) => showsAnyDocument(below))
