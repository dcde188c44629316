import type { Services } from '../services.ts'

/** The background work of a server process, except webhooks. */
export async function startBackground({ counters, live, hints, housekeeping, remover }: Services): Promise<void> {
  counters.start()
  remover.start()
  housekeeping.start()
  await Promise.all([live.start(), hints.start()])
}

export async function stopBackground({ counters, live, hints, housekeeping, remover, usage }: Services): Promise<void> {
  await Promise.all([housekeeping.stop(), live.stop(), hints.stop(), remover.stop()])
  await Promise.all([counters.stop(), usage.stop()])
}
