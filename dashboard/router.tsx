import { createRouter } from '@tanstack/react-router'
import { whenRefused } from './api.ts'
import { watchReturns } from './parts/last-row.ts'
import { queryClient } from './query-client.ts'
import { routeTree } from './route-tree.gen.ts'
import { parseSearch, stringifySearch } from './search.ts'
import { onSessionChange } from './session/changes.ts'
import { removeMemberData, sessionQuery } from './session/queries.ts'
import { NotFound } from './shell/not-found.tsx'
import { RouteError } from './shell/route-error.tsx'

watchReturns()

export const router = createRouter({
  routeTree,
  basepath: '/app',
  context: { queryClient },
  defaultPreload: 'intent',
  // The cache of queries decides what is fresh.
  defaultPreloadStaleTime: 0,
  scrollRestoration: true,
  // Only declared parameters are kept: an invalid one is dropped from the URL.
  search: { strict: true },
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFound,
  parseSearch,
  stringifySearch,
})

/** When somebody signed in or out in another tab. This tab then asks for its session anew. */
let sessionChangedAt = Number.NEGATIVE_INFINITY
onSessionChange(() => {
  sessionChangedAt = performance.now()
})

whenRefused((code, sentAt) => {
  if (code === 'role_required') void queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  // What was sent before is about a session that is not that of this tab any more.
  if (code !== 'not_signed_in' || sentAt < sessionChangedAt) return
  const { pathname, href } = router.state.location
  if (pathname === '/sign-in') return
  void router.navigate({ to: '/sign-in', search: { back: href } }).then(() => {
    // A page with unsaved changes may have kept its place: then this is called after the next navigation.
    if (router.state.location.pathname === '/sign-in') removeMemberData()
  })
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
