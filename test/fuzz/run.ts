import { Agent } from 'undici'
import { corpus } from './corpus.ts'
import { type FuzzRequest, makeRequest } from './request.ts'
import { outcomeOf } from './send.ts'

export interface FuzzOptions {
  url: string
  port: number
  key: string
  seed: number
  from: number
  count: number
  concurrency: number
  onProgress?: (done: number) => void
}

export interface Finding {
  index: number
  problem: string
  request: FuzzRequest
}

export interface FuzzResult {
  findings: Finding[]
  /** How many answers had each status: a run that gets nothing but refusals has tried little. */
  statuses: ReadonlyMap<number, number>
}

const MOST_FINDINGS = 10

/** Sends the requests of a seed, many at a time, and stops early when enough went wrong. */
export async function runFuzz({
  url,
  port,
  key,
  seed,
  from,
  count,
  concurrency,
  onProgress,
}: FuzzOptions): Promise<FuzzResult> {
  const agent = new Agent({ connections: concurrency, headersTimeout: 30_000 })
  const findings: Finding[] = []
  const statuses = new Map<number, number>()
  let next = from
  const worker = async () => {
    while (next < from + count && findings.length < MOST_FINDINGS) {
      const index = next
      next += 1
      const request = makeRequest(corpus, key, seed, index)
      const { status, problem } = await outcomeOf({ url, port, agent }, request)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (problem !== undefined) findings.push({ index, problem, request })
      if (index % 5_000 === 0) onProgress?.(index - from)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await agent.close()
  return { findings, statuses }
}

/** What to inspect, and how to send it again. */
export function describeFinding(seed: number, { index, problem, request }: Finding): string {
  return `${problem}\n  ${JSON.stringify(request).slice(0, 2_000)}\n  again: npm run fuzz -- --seed ${seed} --only ${index}`
}
