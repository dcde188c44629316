import type { Services } from './services.ts'

/** The background work of a server process, except webhooks. */
export async function startBackground({ counters, live, housekeeping, remover }: Services): Promise<void> {
  counters.start()
  remover.start()
  housekeeping.start()
  await live.start()
}

export async function stopBackground({ counters, live, housekeeping, remover, usage }: Services): Promise<void> {
  await Promise.all([housekeeping.stop(), live.stop(), remover.stop()])
  await Promise.all([counters.stop(), usage.stop()])
}
