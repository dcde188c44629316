import { Application, type ApplicationOptions } from './application.ts'
import type { Early, Method, WorkingMethod } from './method-table.ts'
import type { Result } from './methods.ts'
import type { QueuedCall, StubbedUsher, takeCalls } from './stub.ts'

export interface StartOptions extends ApplicationOptions {
  /** The table of `method-table.ts`. Whoever loads this has it already, and `takeCalls` too. */
  methods: Readonly<Record<Method, Early>>
  takeCalls: typeof takeCalls
}

/** Puts the real methods in the place of the stubs, and carries out the calls that were queued, in their order. */
export function start(usher: StubbedUsher, options: StartOptions): void {
  const { methods } = options
  const application = new Application(options)
  const call: Call = (method, words) => guarded(application, method, words, methods[method])
  const replaced = usher as unknown as Record<string, unknown>
  for (const method of Object.keys(methods) as Method[]) {
    replaced[method] = (...words: unknown[]) => call(method, words)
  }
  options.takeCalls(usher, (one) => replay(methods, call, one))
}

type Call = (method: Method, words: unknown[]) => unknown

function replay(methods: object, call: Call, [method, words, settle]: QueuedCall): void {
  if (!Object.hasOwn(methods, method)) {
    settle?.({ ok: false, problem: `there is no method ${method}` })
    return
  }
  const answer = call(method as Method, Array.from(words))
  if (settle) void Promise.resolve(answer).then((result) => settle(result as Result))
}

/** No exception of ours reaches the page. */
function guarded(application: Application, method: Method, words: unknown[], early: Early): unknown {
  try {
    if (early === null) return early
    const answer = (application[method as WorkingMethod] as (...words: unknown[]) => unknown)(...words)
    if (early !== 'promise') return answer
    return Promise.resolve(answer).catch((error: unknown) => ({ ok: false, problem: String(error) }))
  } catch (error) {
    return early === 'promise' ? Promise.resolve({ ok: false, problem: String(error) }) : early
  }
}
