import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { byMessages } from './turn-by-messages.ts'

/** Delivers in a later task, as a browser does, to all that are open then. */
class Channel {
  static readonly open = new Set<Channel>()
  onmessage: ((event: { data: unknown }) => void) | null = null

  constructor() {
    Channel.open.add(this)
  }

  postMessage(data: unknown): void {
    const others = [...Channel.open].filter((one) => one !== this)
    setTimeout(() => {
      for (const other of others) if (Channel.open.has(other)) other.onmessage?.({ data })
    })
  }

  close(): void {
    Channel.open.delete(this)
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('BroadcastChannel', Channel)
})
afterEach(() => {
  Channel.open.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** A tab that wants the turn. `number`: the one by which the tabs agree. */
function tab(number: number, takes = false) {
  vi.spyOn(Math, 'random').mockReturnValueOnce(number)
  const abort = new AbortController()
  const state = { has: false, lost: false, release: () => {} }
  const lost = () => Object.assign(state, { has: false, lost: true })
  void byMessages('a place', { signal: abort.signal, takes, lost }).then((turn) => {
    if (turn) Object.assign(state, { has: true, release: turn.release })
  })
  return state
}

it.each([
  [0.2, 0.8],
  [0.8, 0.2],
])('of tabs with %d and %d one has the turn, however long after the other it asks', async (first, second) => {
  for (const between of [0, 1, 50, 100, 150, 199, 200, 250, 5_000]) {
    const one = tab(first)
    await vi.advanceTimersByTimeAsync(between)
    const other = tab(second)
    await vi.advanceTimersByTimeAsync(3_000)
    const held = [one, other].filter(({ has }) => has)
    expect(held, `${between} ms later`).toHaveLength(1)
    held[0]?.release()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(held[0] === one ? other.has : one.has, `${between} ms later, and released`).toBe(true)
    one.release()
    other.release()
  }
})

it('a tab that takes the turn has it at once, and the other one loses it', async () => {
  const one = tab(0.2)
  await vi.advanceTimersByTimeAsync(1_000)
  const other = tab(0.8, true)
  await vi.advanceTimersByTimeAsync(1_000)
  expect([one.has, one.lost, other.has]).toEqual([false, true, true])
  other.release()
})

it('a tab that takes the turn has it alone, also when another one has just asked for it', async () => {
  for (const between of [0, 1, 100, 199, 200, 250]) {
    const one = tab(0.2)
    await vi.advanceTimersByTimeAsync(between)
    const other = tab(0.8, true)
    await vi.advanceTimersByTimeAsync(3_000)
    expect([one.has, other.has], `${between} ms later`).toEqual([false, true])
    other.release()
    await vi.advanceTimersByTimeAsync(3_000)
    one.release()
  }
})
