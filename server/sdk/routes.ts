import { editOperations, pageOperations, streamOperations, visitorOperations } from '../../contract/sdk/operations.ts'
import { addOperations, type Gate, type Handlers } from '../http/operation.ts'
import type { Router } from '../http/router.ts'
import {
  isStillAdmitted,
  PageAdmission,
  type PageAdmissionParts,
  type PageCaller,
  VisitorAdmission,
  type VisitorCaller,
} from './admission.ts'
import { addPreflights } from './cors.ts'
import { decideAgain } from './decision.ts'
import { identify } from './identify.ts'
import { editHandlers } from './in-place.ts'
import type { PublicParts } from './parts.ts'
import { claim, progress, release, renew, start } from './visitor-sessions.ts'
import { changeGroup, checkVisitor, track, update } from './visitor-writes.ts'

/** What the calls of pages share with the API. */
export type PublicGate = Omit<Gate<unknown>, 'admission' | 'prefix'> & Pick<PageAdmissionParts, 'slots'>

/** The public side: what a browser may call with a public token. None of it takes an API key. */
export function addPublicSide(router: Router, parts: PublicParts, { slots, ...gate }: PublicGate): void {
  const { directory, limits, uses, refusedOrigins } = parts
  const { now } = parts.services
  const admissionParts = { directory, limits, uses, refusedOrigins, now, slots, transport: gate.transport }
  addOperations(router, pageOperations, pageHandlers(parts), { ...gate, admission: new PageAdmission(admissionParts) })
  addOperations(router, editOperations, editHandlers(parts), { ...gate, admission: new PageAdmission(admissionParts) })
  addOperations(router, visitorOperations, visitorHandlers(parts), {
    ...gate,
    admission: new VisitorAdmission(admissionParts),
  })
  addOperations(router, streamOperations, streamHandlers(parts), {
    ...gate,
    admission: new VisitorAdmission(admissionParts, false),
  })
  addPreflights(router)
}

function pageHandlers(parts: PublicParts): Handlers<typeof pageOperations, PageCaller> {
  return {
    identify: async ({ grant, query, body, exchange }) =>
      JSON.stringify(await identify(parts, grant, body, query, exchange.id)),
  }
}

/** It is asked again with each change of tokens, origins and identity, and at each beat: a stream is not for longer. */
function streamHandlers(parts: PublicParts): Handlers<typeof streamOperations, VisitorCaller> {
  const { streams, directory } = parts
  return {
    stream: async ({ grant, exchange }) => {
      const [group] = await Promise.all([streams.groupOf(grant), checkVisitor(parts, grant)])
      streams.check(grant)
      const { authorization } = exchange.request.headers
      const isAllowed = () => {
        try {
          const side = directory.find(authorization)
          return side instanceof Promise
            ? side.then((found) => isStillAdmitted(found, grant)).catch(() => false)
            : isStillAdmitted(side, grant)
        } catch {
          return false
        }
      }
      return {
        contentType: 'text/event-stream; charset=utf-8',
        // nginx would buffer the stream.
        headers: { 'x-accel-buffering': 'no' },
        body: (sink) => streams.open(grant, group, sink, isAllowed),
        isEndless: true,
      }
    },
  }
}

function visitorHandlers(parts: PublicParts): Handlers<typeof visitorOperations, VisitorCaller> {
  return {
    group: async ({ grant, body, exchange }) => JSON.stringify(await changeGroup(parts, grant, body, exchange.id)),
    update: async ({ grant, body, exchange }) => JSON.stringify(await update(parts, grant, body, exchange.id)),
    decide: async ({ grant }) => JSON.stringify(await decideAgain(parts, grant)),
    claim: async ({ grant, body, exchange }) => JSON.stringify(await claim(parts, grant, body, exchange.id)),
    start: async ({ grant, body, exchange }) => JSON.stringify(await start(parts, grant, body, exchange.id)),
    renew: async ({ grant, body, exchange }) => JSON.stringify(await renew(parts, grant, body, exchange.id)),
    release: async ({ grant, body, exchange }) => JSON.stringify(await release(parts, grant, body, exchange.id)),
    progress: async ({ grant, body, exchange }) => JSON.stringify(await progress(parts, grant, body, exchange.id)),
    error: async ({ grant: { side, origin } }) => {
      if (origin !== undefined) parts.services.counters.of(side.environmentId).add('page_error', `caught ${origin}`)
      return '{}'
    },
    track: async ({ grant, body, exchange }) => JSON.stringify(await track(parts, grant, body, exchange.id)),
  }
}
