import { Agent } from 'undici'
import { corpus } from './corpus.ts'
import { type FuzzRequest, makeRequest } from './request.ts'
import { problemOf } from './send.ts'

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
}: FuzzOptions): Promise<Finding[]> {
  const agent = new Agent({ connections: concurrency, headersTimeout: 30_000 })
  const findings: Finding[] = []
  let next = from
  const worker = async () => {
    while (next < from + count && findings.length < MOST_FINDINGS) {
      const index = next
      next += 1
      const request = makeRequest(corpus, key, seed, index)
      const problem = await problemOf({ url, port, agent }, request)
      if (problem !== undefined) findings.push({ index, problem, request })
      if (index % 5_000 === 0) onProgress?.(index - from)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  await agent.close()
  return findings
}

/** What to look at, and how to send it again. */
export function describeFinding(seed: number, { index, problem, request }: Finding): string {
  return `${problem}\n  ${JSON.stringify(request).slice(0, 2_000)}\n  again: npm run fuzz -- --seed ${seed} --only ${index}`
}
