import type { Installation } from '../../contract/dashboard/install.ts'
import type { NameCount } from '../counters/read.ts'
import { sum } from '../counters/series.ts'

type PageHealth = Pick<Installation, 'versions' | 'answers' | 'errors'>

/** What was counted in pages; each name has the allowed origin behind a space. */
export interface PageCounts {
  versions: readonly NameCount[]
  answers: readonly NameCount[]
  errors: readonly NameCount[]
}

/** Of one origin, or of all. */
export function healthOf({ versions, answers, errors }: PageCounts, origin?: string): PageHealth {
  const failed = byHead(errors, origin)
  const caught = failed.get('caught') ?? 0
  return {
    versions: [...byHead(versions, origin)]
      .map(([version, count]) => ({ version, count }))
      .sort((one, other) => other.count - one.count),
    answers: timesOf([...byHead(answers, origin)].map(([bound, count]) => ({ bound: Number(bound), count }))),
    errors: { caught, refused: sum([...failed.values()]) - caught },
  }
}

function byHead(counts: readonly NameCount[], origin: string | undefined): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { name, count } of counts) {
    const space = name.indexOf(' ')
    if (origin !== undefined && name.slice(space + 1) !== origin) continue
    const head = name.slice(0, space)
    sums.set(head, (sums.get(head) ?? 0) + count)
  }
  return sums
}

function timesOf(counts: { bound: number; count: number }[]): PageHealth['answers'] {
  const all = sum(counts.map(({ count }) => count))
  if (all === 0) return null
  const sorted = counts.sort((one, other) => one.bound - other.bound)
  const upTo = (index: number) => sum(sorted.slice(0, index + 1).map(({ count }) => count))
  const within = (share: number) => sorted.find((_, index) => upTo(index) >= share * all)?.bound ?? 0
  return { count: all, half_ms: within(0.5), most_ms: within(0.95) }
}
