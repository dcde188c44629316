import type { Page } from 'playwright-core'

/** What the script has cost a page, by the processor time of its main thread: what other processes take does not count. */
export interface ScriptProfile {
  /** The most that the script took of one task, in milliseconds, with the styles and layouts that it asked for. */
  longestMs: number
  /** How much of the time it took, from 0 to 1. */
  share: number
}

const CATEGORIES = ['disabled-by-default-devtools.timeline', 'disabled-by-default-v8.cpu_profiler']

interface TraceEvent {
  name: string
  pid: number
  tid: number
  ts: number
  /** How long it took, and how much of the processor, in microseconds. */
  dur?: number
  tdur?: number
  args: {
    data?: { startTime?: number; timeDeltas?: number[]; cpuProfile?: { nodes?: StackNode[]; samples?: number[] } }
  }
}

interface StackNode {
  id: number
  parent?: number
  callFrame: { url?: string }
}

/** What was on the stack at this time; `since` is when the sample before was taken. In microseconds. */
interface Sample {
  since: number
  time: number
  isOurs: boolean
}

/** Of a page while `during` runs. A browser has one trace at a time. */
export async function profileScript(page: Page, during: () => Promise<unknown>): Promise<ScriptProfile> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  await browser.startTracing(page, { categories: CATEGORIES })
  const begun = performance.now()
  await during()
  const wallMs = performance.now() - begun
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const times = traceEvents.filter(({ name }) => name === 'Profile').flatMap((profile) => timesOf(profile, traceEvents))
  return { longestMs: Math.max(0, ...times), share: times.reduce((sum, ms) => sum + ms, 0) / wallMs }
}

/** What the script took of each task of one process, in milliseconds: by the samples, as much as the task had the processor. */
function timesOf(profile: TraceEvent, events: readonly TraceEvent[]): number[] {
  const samples = samplesOf(profile, events)
  const tasks = events.filter(({ name, pid, tid, ts, dur = 0 }) => {
    // The profiler starts in the middle of a task, often of ours, which takes up to 100 ms.
    const isOfStart = ts + dur >= (profile.args.data?.startTime ?? 0) && ts <= profile.ts
    return name === 'RunTask' && pid === profile.pid && tid === profile.tid && !isOfStart
  })
  const times: number[] = []
  let at = 0
  for (const { ts, dur = 0, tdur = 0 } of tasks.sort((a, b) => a.ts - b.ts)) {
    let ours = 0
    for (; at < samples.length; at += 1) {
      const { since, time, isOurs } = samples[at] as Sample
      if (time > ts + dur) break
      if (isOurs) ours += Math.max(0, time - Math.max(since, ts))
    }
    if (ours > 0) times.push((ours * Math.min(1, tdur / dur)) / 1_000)
  }
  return times
}

function samplesOf({ pid, args }: TraceEvent, events: readonly TraceEvent[]): Sample[] {
  const ours = new Map<number, boolean>()
  let time = args.data?.startTime ?? 0
  const chunks = events.filter((event) => event.name === 'ProfileChunk' && event.pid === pid)
  return chunks
    .sort((a, b) => a.ts - b.ts)
    .flatMap(({ args: { data } }) => {
      const { nodes = [], samples = [] } = data?.cpuProfile ?? {}
      // A node comes after the one that has called it.
      for (const { id, parent, callFrame } of nodes)
        ours.set(id, ours.get(parent ?? 0) || (callFrame.url?.includes('/sdk/') ?? false))
      return samples.map((id, index) => {
        const since = time
        time += data?.timeDeltas?.[index] ?? 0
        return { since, time, isOurs: ours.get(id) ?? false }
      })
    })
}
