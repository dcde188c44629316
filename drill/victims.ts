import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../test/fuzz/random.ts'

/** A process that the drill kills with SIGKILL and starts again. */
export interface Victim {
  readonly name: string
  kill(): Promise<void>
  /** Resolves when it serves again. */
  revive(): Promise<void>
}

export interface Killing {
  /** Grouped by kind: each kind is killed once at first, and then equally often, however many victims it has. */
  victims: readonly (readonly Victim[])[]
  random: Random
  count: number
  /** Kills continue for at least this long. */
  leastMs: number
  /** Resolves when clients have been answered again since the last kill. */
  progress(): Promise<void>
  report(text: string): void
}

const MOST_PAUSE_MS = 1_200
const MOST_DOWN_MS = 800

/** Kills at random moments. A victim may still be down when the next one is killed. Returns how many kills there were. */
export async function killAtRandom({ victims, random, count, leastMs, progress, report }: Killing): Promise<number> {
  const down = new Map<Victim, Promise<void>>()
  let failure: unknown
  const revive = async (victim: Victim, downMs: number) => {
    await sleep(downMs)
    await victim.revive()
    down.delete(victim)
  }
  const end = performance.now() + leastMs
  let kills = 0
  const first = [...victims]
  while (kills < count || performance.now() < end) {
    await progress()
    await sleep(random.next() * MOST_PAUSE_MS)
    if (failure) break
    const kind = random.pick(first.length > 0 ? first : victims)
    const up = kind.filter((victim) => !down.has(victim))
    if (up.length === 0) continue
    if (first.length > 0) first.splice(first.indexOf(kind), 1)
    const victim = random.pick(up)
    await victim.kill()
    kills += 1
    report(`kill ${kills}: ${victim.name}`)
    const revived = revive(victim, random.next() * MOST_DOWN_MS)
    down.set(
      victim,
      revived.catch((error) => {
        failure ??= error
      }),
    )
  }
  await Promise.all(down.values())
  if (failure) throw failure
  return kills
}
