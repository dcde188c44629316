import { takeEditToken } from './edit/fragment.ts'
import { methods } from './method-table.ts'
import type { Usher } from './methods.ts'
import { addStubs, refuseCalls, takeCalls } from './stub.ts'

export type { Result, Usher, UsherEvent, UsherListener } from './methods.ts'

let isLoading = false
const editToken = typeof window === 'undefined' ? null : takeEditToken()

/** Calls are queued at once; the first one loads the rest from the package. On a server nothing is loaded. */
const usher: Usher = addStubs({}, () => {
  if (isLoading || typeof window === 'undefined') return
  isLoading = true
  import('./core.ts')
    .then(({ start }) => start(usher, { methods, takeCalls, base: null, editToken, verify: () => null }))
    .catch(() => refuseCalls(usher, 'the script could not be loaded'))
})

export default usher
