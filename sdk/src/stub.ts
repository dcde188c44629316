import { type Method, methods } from './method-table.ts'
import type { Result, Usher } from './methods.ts'

/** A call that was made before the script had loaded. */
export type QueuedCall = [method: string, words: ArrayLike<unknown>, settle?: (result: Result) => void]

/** The object of the page. `_q` holds the calls until the script takes them over; the snippet of the documents makes it, too. */
export type StubbedUsher = Usher & { _q?: QueuedCall[]; _loaded?: boolean }

/** Gives the object all methods that it lacks. Each queues its call, in the order of the calls. */
export function addStubs(target: Partial<StubbedUsher>, called: () => void): StubbedUsher {
  const stubbed = target as StubbedUsher & Record<string, unknown>
  stubbed._q ??= []
  for (const method of Object.keys(methods) as Method[]) {
    if (typeof stubbed[method] === 'function') continue
    const early = methods[method]
    const stub = (...words: unknown[]) => {
      called()
      if (early !== 'promise') {
        stubbed._q?.push([method, words])
        return early
      }
      return new Promise<Result>((resolve) => stubbed._q?.push([method, words, resolve]))
    }
    ;(stubbed as Record<string, unknown>)[method] = stub
  }
  return stubbed
}

/** Takes the calls that were queued, in their order, and from now on each one at once: a snippet of the page may hold the queue. */
export function takeCalls({ _q: queue = [] }: StubbedUsher, take: (call: QueuedCall) => void): void {
  const push = (...calls: QueuedCall[]) => {
    for (const one of calls) take(one)
  }
  push(...queue.splice(0))
  // An assignment fails where the page has frozen the prototype of lists.
  Object.defineProperty(queue, 'push', { value: push })
}

/** What calls are answered when the script could not be loaded, also later ones. The page goes on as if there were none. */
export function refuseCalls(stubbed: StubbedUsher, problem: string): void {
  takeCalls(stubbed, ([, , settle]) => settle?.({ ok: false, problem }))
}
