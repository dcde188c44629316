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

/** What a call is answered when the script could not be loaded. The page goes on as if there were none. */
export function refuseQueued(stubbed: StubbedUsher, problem: string): void {
  for (const [, , settle] of stubbed._q?.splice(0) ?? []) settle?.({ ok: false, problem })
}
