import { EditBody, EditDraftBody, EndEditBody, editLimits, ProposeBody } from './edit.ts'
import { sdkLimits } from './limits.ts'
import {
  ClaimBody,
  DecideBody,
  ErrorBody,
  GroupBody,
  IdentifyBody,
  IdentifyQuery,
  ProgressBody,
  ReleaseBody,
  RenewBody,
  StartBody,
  TrackBody,
  UpdateBody,
} from './requests.ts'

/** The calls of pages: a table of operations as that of the API, with an admission of its own (server/sdk/admission.ts). */

const call = { method: 'POST', bodyBytes: sdkLimits.bodyBytes } as const

/** Needs the public token only. */
export const pageOperations = {
  identify: { ...call, path: '/sdk/identify', query: IdentifyQuery, body: IdentifyBody },
} as const

/** Who has the session acts as the member who has opened the page. */
const edit = { method: 'POST', bodyBytes: editLimits.bodyBytes, secretFields: ['session'] } as const

/** Of a page that a member opened from the editor: the public token, and in the body the token of edit mode. */
export const editOperations = {
  openEdit: { ...edit, path: '/sdk/edit', body: EditBody },
  readDraft: { ...edit, path: '/sdk/edit/draft', body: EditDraftBody },
  propose: { ...edit, path: '/sdk/edit/propose', body: ProposeBody },
  endEdit: { ...edit, path: '/sdk/edit/end', body: EndEditBody },
} as const

/** Needs the visitor token too, and answers server-sent events without an end. */
export const streamOperations = {
  stream: { method: 'GET', path: '/sdk/stream', produces: 'text/event-stream' },
} as const

/** Needs the visitor token too. */
export const visitorOperations = {
  group: { ...call, path: '/sdk/group', body: GroupBody, takesText: true },
  update: { ...call, path: '/sdk/update', body: UpdateBody, takesText: true },
  decide: { ...call, path: '/sdk/decide', body: DecideBody, hasOptionalBody: true },
  claim: { ...call, path: '/sdk/claim', body: ClaimBody },
  start: { ...call, path: '/sdk/start', body: StartBody },
  renew: { ...call, path: '/sdk/renew', body: RenewBody },
  release: { ...call, path: '/sdk/release', body: ReleaseBody, takesText: true },
  progress: { ...call, path: '/sdk/progress', body: ProgressBody, takesText: true },
  track: { ...call, path: '/sdk/track', body: TrackBody, takesText: true },
  error: { ...call, path: '/sdk/error', body: ErrorBody, takesText: true },
} as const
