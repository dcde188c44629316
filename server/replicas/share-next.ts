/**
 * Requests during a call share the next call, so each gets a result from after its request, and there is never more than
 * one call at a time.
 */
export function shareNext<T>(call: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | undefined
  let next: Promise<T> | undefined
  const begin = (): Promise<T> => {
    next = undefined
    const answer = call()
    const done = answer.then(
      () => {},
      () => {},
    )
    running = done
    void done.then(() => {
      if (running === done && !next) running = undefined
    })
    return answer
  }
  return () => {
    if (!running) return begin()
    next ??= running.then(begin)
    return next
  }
}
