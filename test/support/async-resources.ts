import { createHook } from 'node:async_hooks'

/**
 * The kinds of asynchronous work that begin during `work`, by Node's own names: `GETADDRINFOREQWRAP` and `FSREQPROMISE`
 * take a thread of libuv's pool.
 */
export async function asyncResources(work: () => Promise<unknown>): Promise<Set<string>> {
  const types = new Set<string>()
  const hook = createHook({
    init: (_id, type) => {
      types.add(type)
    },
  }).enable()
  try {
    await work()
  } finally {
    hook.disable()
  }
  return types
}
