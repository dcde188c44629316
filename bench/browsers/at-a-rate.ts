const TICK_MS = 2
/** Work that is not finished so long after the end is left alone. */
const DRAIN_MS = 10_000

/**
 * Starts `work` at a fixed rate, whether or not what was started before is finished, and tells it when it was due. Returns
 * when all is finished, with how many were started.
 */
export async function atARate(
  perSecond: number,
  seconds: number,
  work: (dueAt: number) => Promise<void> | undefined,
): Promise<number> {
  const begun = performance.now()
  const total = Math.round(perSecond * seconds)
  let started = 0
  let open = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setInterval(() => {
    const now = performance.now()
    const due = Math.min(total, Math.floor(((now - begun) / 1_000) * perSecond))
    while (started < due) {
      started += 1
      open += 1
      void Promise.resolve(work(begun + (started / perSecond) * 1_000)).finally(() => {
        open -= 1
      })
    }
    if ((started === total && open === 0) || now > begun + seconds * 1_000 + DRAIN_MS) resolve()
  }, TICK_MS)
  await promise.finally(() => clearInterval(timer))
  return started
}
