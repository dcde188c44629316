import type { Page } from 'playwright-core'

/** What a sampling profiler has seen of the script in a page. */
export interface ScriptProfile {
  /** The longest time in which it always found a function of the script on the stack, in milliseconds. */
  longestMs: number
  /** How much of the time it did, from 0 to 1. */
  share: number
}

export async function profileScript(page: Page, ms: number): Promise<ScriptProfile> {
  const session = await page.context().newCDPSession(page)
  await session.send('Profiler.enable')
  await session.send('Profiler.start')
  await new Promise((resolve) => setTimeout(resolve, ms))
  const { profile } = await session.send('Profiler.stop')
  await session.detach()
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const ours = new Set<number>()
  const visit = (id: number, isInside: boolean) => {
    const node = nodes.get(id)
    const isOurs = isInside || (node?.callFrame.url.includes('/sdk/') ?? false)
    if (isOurs) ours.add(id)
    for (const child of node?.children ?? []) visit(child, isOurs)
  }
  visit(profile.nodes[0]?.id ?? 0, false)
  let [longest, now, all] = [0, 0, 0]
  for (const [index, id] of (profile.samples ?? []).entries()) {
    const micros = profile.timeDeltas?.[index] ?? 0
    now = ours.has(id) ? now + micros : 0
    all += ours.has(id) ? micros : 0
    longest = Math.max(longest, now)
  }
  return { longestMs: longest / 1_000, share: all / (profile.endTime - profile.startTime) }
}
