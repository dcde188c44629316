import { pageOperations, visitorOperations } from '../../contract/sdk/operations.ts'
import { addOperations, type Gate, type Handlers } from '../http/operation.ts'
import type { Router } from '../http/router.ts'
import {
  PageAdmission,
  type PageAdmissionParts,
  type PageCaller,
  VisitorAdmission,
  type VisitorCaller,
} from './admission.ts'
import { addPreflights } from './cors.ts'
import { identify } from './identify.ts'
import type { PublicParts } from './parts.ts'
import { changeGroup, track, update } from './visitor-writes.ts'

/** What the calls of pages share with the API. */
export type PublicGate = Omit<Gate<unknown>, 'admission' | 'prefix'> & Pick<PageAdmissionParts, 'slots'>

/** The public side: what a browser may call with a public token. None of it takes an API key. */
export function addPublicSide(router: Router, parts: PublicParts, { slots, ...gate }: PublicGate): void {
  const { directory, limits, uses } = parts
  const admissionParts = { directory, limits, uses, slots, transport: gate.transport }
  addOperations(router, pageOperations, pageHandlers(parts), { ...gate, admission: new PageAdmission(admissionParts) })
  addOperations(router, visitorOperations, visitorHandlers(parts), {
    ...gate,
    admission: new VisitorAdmission(admissionParts),
  })
  addPreflights(router)
}

function pageHandlers(parts: PublicParts): Handlers<typeof pageOperations, PageCaller> {
  return {
    identify: async ({ grant, body, exchange }) => JSON.stringify(await identify(parts, grant.side, body, exchange.id)),
  }
}

function visitorHandlers(parts: PublicParts): Handlers<typeof visitorOperations, VisitorCaller> {
  return {
    group: async ({ grant, body, exchange }) => JSON.stringify(await changeGroup(parts, grant, body, exchange.id)),
    update: async ({ grant, body, exchange }) => JSON.stringify(await update(parts, grant, body, exchange.id)),
    track: async ({ grant, body, exchange }) => JSON.stringify(await track(parts, grant, body, exchange.id)),
  }
}
