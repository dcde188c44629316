/**
 * The operations of the dashboard's API by name: method, path and the role that each needs. The browser imports this
 * file at run time, so it imports nothing. The schemas of query, body and response are in `operations.ts` under the
 * same names; the browser imports only their types.
 *
 * `:environment` is the slug of an environment, which survives renaming.
 */

/** From the least to the most. Each role may do what those before it may. */
export const roles = ['viewer', 'member', 'admin', 'owner'] as const
export type Role = (typeof roles)[number]

/** `anyone` needs no session. */
export type RequiredRole = Role | 'anyone'

export interface Path {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly role: RequiredRole
}

const inEnvironment = '/app/api/environments/:environment'

export const paths = {
  getWelcome: { method: 'GET', path: '/app/api/welcome', role: 'anyone' },
  signIn: { method: 'POST', path: '/app/api/session', role: 'anyone' },
  readLink: { method: 'POST', path: '/app/api/links/read', role: 'anyone' },
  useLink: { method: 'POST', path: '/app/api/links/use', role: 'anyone' },
  getSession: { method: 'GET', path: '/app/api/session', role: 'viewer' },
  signOut: { method: 'DELETE', path: '/app/api/session', role: 'viewer' },
  changePassword: { method: 'POST', path: '/app/api/session/password', role: 'viewer' },
  updateProfile: { method: 'PATCH', path: '/app/api/session', role: 'viewer' },

  listEnvironments: { method: 'GET', path: '/app/api/environments', role: 'viewer' },
  createEnvironment: { method: 'POST', path: '/app/api/environments', role: 'admin' },
  renameEnvironment: { method: 'PATCH', path: inEnvironment, role: 'admin' },
  deleteEnvironment: { method: 'DELETE', path: inEnvironment, role: 'owner' },
  copyDescriptions: { method: 'POST', path: `${inEnvironment}/copy_descriptions`, role: 'admin' },

  getHome: { method: 'GET', path: `${inEnvironment}/home`, role: 'viewer' },

  listUsers: { method: 'GET', path: `${inEnvironment}/users`, role: 'viewer' },
  createUser: { method: 'POST', path: `${inEnvironment}/users`, role: 'member' },
  getUser: { method: 'GET', path: `${inEnvironment}/users/:user_id`, role: 'viewer' },
  updateUser: { method: 'PATCH', path: `${inEnvironment}/users/:user_id`, role: 'member' },
  deleteUser: { method: 'DELETE', path: `${inEnvironment}/users/:user_id`, role: 'member' },
  getUserDeletion: { method: 'GET', path: `${inEnvironment}/users/:user_id/deletion`, role: 'viewer' },
  listUserGroups: { method: 'GET', path: `${inEnvironment}/users/:user_id/groups`, role: 'viewer' },
  listUserTimeline: { method: 'GET', path: `${inEnvironment}/users/:user_id/timeline`, role: 'viewer' },

  listGroups: { method: 'GET', path: `${inEnvironment}/groups`, role: 'viewer' },
  createGroup: { method: 'POST', path: `${inEnvironment}/groups`, role: 'member' },
  getGroup: { method: 'GET', path: `${inEnvironment}/groups/:group_id`, role: 'viewer' },
  updateGroup: { method: 'PATCH', path: `${inEnvironment}/groups/:group_id`, role: 'member' },
  deleteGroup: { method: 'DELETE', path: `${inEnvironment}/groups/:group_id`, role: 'member' },
  getGroupDeletion: { method: 'GET', path: `${inEnvironment}/groups/:group_id/deletion`, role: 'viewer' },
  listGroupMembers: { method: 'GET', path: `${inEnvironment}/groups/:group_id/members`, role: 'viewer' },
  listGroupTimeline: { method: 'GET', path: `${inEnvironment}/groups/:group_id/timeline`, role: 'viewer' },

  setMembership: { method: 'POST', path: `${inEnvironment}/memberships`, role: 'member' },
  removeMembership: { method: 'DELETE', path: `${inEnvironment}/memberships`, role: 'member' },
  trackEvent: { method: 'POST', path: `${inEnvironment}/events`, role: 'member' },
  getEvent: { method: 'GET', path: `${inEnvironment}/events/:event_id`, role: 'viewer' },

  watchLive: { method: 'GET', path: `${inEnvironment}/live`, role: 'viewer' },
  getRequest: { method: 'GET', path: `${inEnvironment}/requests/:request_id`, role: 'viewer' },
  listRequestErrors: { method: 'GET', path: `${inEnvironment}/request_errors`, role: 'viewer' },

  listEventDefinitions: { method: 'GET', path: `${inEnvironment}/event_definitions`, role: 'viewer' },
  getEventDefinition: { method: 'GET', path: `${inEnvironment}/event_definitions/:definition_id`, role: 'viewer' },
  updateEventDefinition: { method: 'PATCH', path: `${inEnvironment}/event_definitions/:definition_id`, role: 'member' },
  listAttributeDefinitions: { method: 'GET', path: `${inEnvironment}/attribute_definitions`, role: 'viewer' },
  getAttributeDefinition: {
    method: 'GET',
    path: `${inEnvironment}/attribute_definitions/:definition_id`,
    role: 'viewer',
  },
  updateAttributeDefinition: {
    method: 'PATCH',
    path: `${inEnvironment}/attribute_definitions/:definition_id`,
    role: 'member',
  },

  listContent: { method: 'GET', path: `${inEnvironment}/content`, role: 'viewer' },
  createContent: { method: 'POST', path: `${inEnvironment}/content`, role: 'member' },
  getContent: { method: 'GET', path: `${inEnvironment}/content/:content_id`, role: 'viewer' },
  saveDraft: { method: 'PATCH', path: `${inEnvironment}/content/:content_id`, role: 'member' },
  copyContent: { method: 'POST', path: `${inEnvironment}/content/:content_id/copy`, role: 'member' },
  /** What publishing would do. */
  planPublication: { method: 'GET', path: `${inEnvironment}/content/:content_id/plan`, role: 'viewer' },
  getPlanProgress: { method: 'GET', path: `${inEnvironment}/content/:content_id/plan/progress`, role: 'viewer' },
  /** These reach users at once: they take the role admin, unless the environment lets members publish. */
  publishContent: { method: 'POST', path: `${inEnvironment}/content/:content_id/publish`, role: 'member' },
  unpublishContent: { method: 'POST', path: `${inEnvironment}/content/:content_id/unpublish`, role: 'member' },
  deleteContent: { method: 'DELETE', path: `${inEnvironment}/content/:content_id`, role: 'member' },
  listVersions: { method: 'GET', path: `${inEnvironment}/content/:content_id/versions`, role: 'viewer' },
  getVersion: { method: 'GET', path: `${inEnvironment}/content/:content_id/versions/:number`, role: 'viewer' },
  /** Edit mode: a page of the application is opened, and what it proposes is confirmed by the member who opened it. */
  openInPlace: { method: 'POST', path: `${inEnvironment}/content/:content_id/edits`, role: 'member' },
  getInPlace: { method: 'GET', path: `${inEnvironment}/content/:content_id/edits/:edit_id`, role: 'member' },
  settleProposal: {
    method: 'POST',
    path: `${inEnvironment}/content/:content_id/edits/:edit_id/proposals/:proposal_id`,
    role: 'member',
  },
  /** The draft as one user would see it, with the receipt. */
  previewDraft: { method: 'GET', path: `${inEnvironment}/content/:content_id/previews/:user_id`, role: 'viewer' },
  getResults: { method: 'GET', path: `${inEnvironment}/content/:content_id/results`, role: 'viewer' },
  exportResults: { method: 'GET', path: `${inEnvironment}/content/:content_id/results/export`, role: 'viewer' },
  /** The users behind a figure of the results. */
  listCountedRuns: { method: 'GET', path: `${inEnvironment}/content/:content_id/runs`, role: 'viewer' },
  /** How often pages found the elements of a version. */
  listTargets: { method: 'GET', path: `${inEnvironment}/content/:content_id/targets`, role: 'viewer' },
  listAnswers: { method: 'GET', path: `${inEnvironment}/content/:content_id/answers`, role: 'viewer' },
  listThemes: { method: 'GET', path: `${inEnvironment}/themes`, role: 'viewer' },
  saveTheme: { method: 'POST', path: `${inEnvironment}/themes`, role: 'member' },
  deleteTheme: { method: 'DELETE', path: `${inEnvironment}/themes/:theme_key`, role: 'member' },
  updateGuidance: { method: 'PATCH', path: `${inEnvironment}/guidance`, role: 'admin' },
  listSegments: { method: 'GET', path: `${inEnvironment}/segments`, role: 'viewer' },
  getSegment: { method: 'GET', path: `${inEnvironment}/segments/:segment_id`, role: 'viewer' },
  createSegment: { method: 'POST', path: `${inEnvironment}/segments`, role: 'member' },
  /** One that published content uses takes the role admin: a change of it reaches users at once. */
  updateSegment: { method: 'PATCH', path: `${inEnvironment}/segments/:segment_id`, role: 'member' },
  deleteSegment: { method: 'DELETE', path: `${inEnvironment}/segments/:segment_id`, role: 'member' },
  countCondition: { method: 'POST', path: `${inEnvironment}/conditions/count`, role: 'viewer' },
  sampleCondition: { method: 'POST', path: `${inEnvironment}/conditions/samples`, role: 'viewer' },
  explainCondition: { method: 'POST', path: `${inEnvironment}/conditions/explain`, role: 'viewer' },
  listValues: { method: 'GET', path: `${inEnvironment}/values`, role: 'viewer' },
  listSegmentsOf: { method: 'GET', path: `${inEnvironment}/segments_of`, role: 'viewer' },

  getReceipt: { method: 'GET', path: `${inEnvironment}/content/:content_id/receipts/:user_id`, role: 'viewer' },
  showAgain: {
    method: 'POST',
    path: `${inEnvironment}/content/:content_id/receipts/:user_id/show_again`,
    role: 'member',
  },
  listContentOfUser: { method: 'GET', path: `${inEnvironment}/users/:user_id/content`, role: 'viewer' },

  getInstallation: { method: 'GET', path: `${inEnvironment}/installation`, role: 'viewer' },
  listLackingUsers: { method: 'GET', path: `${inEnvironment}/installation/lacking`, role: 'viewer' },
  createToken: { method: 'POST', path: `${inEnvironment}/tokens`, role: 'admin' },
  rotateToken: { method: 'POST', path: `${inEnvironment}/tokens/:token_id/rotate`, role: 'admin' },
  revokeToken: { method: 'DELETE', path: `${inEnvironment}/tokens/:token_id`, role: 'admin' },
  addOrigin: { method: 'POST', path: `${inEnvironment}/origins`, role: 'admin' },
  removeOrigin: { method: 'POST', path: `${inEnvironment}/origins/remove`, role: 'admin' },
  createIdentitySecret: { method: 'POST', path: `${inEnvironment}/identity_secrets`, role: 'admin' },
  revokeIdentitySecret: { method: 'DELETE', path: `${inEnvironment}/identity_secrets/:secret_id`, role: 'admin' },
  setIdentity: { method: 'PATCH', path: `${inEnvironment}/identity`, role: 'admin' },

  listEndpoints: { method: 'GET', path: `${inEnvironment}/endpoints`, role: 'viewer' },
  createEndpoint: { method: 'POST', path: `${inEnvironment}/endpoints`, role: 'admin' },
  getEndpoint: { method: 'GET', path: `${inEnvironment}/endpoints/:endpoint_id`, role: 'viewer' },
  updateEndpoint: { method: 'PATCH', path: `${inEnvironment}/endpoints/:endpoint_id`, role: 'admin' },
  deleteEndpoint: { method: 'DELETE', path: `${inEnvironment}/endpoints/:endpoint_id`, role: 'admin' },
  rotateSecret: { method: 'POST', path: `${inEnvironment}/endpoints/:endpoint_id/secret`, role: 'admin' },
  testEndpoint: { method: 'POST', path: `${inEnvironment}/endpoints/:endpoint_id/test`, role: 'member' },
  listDeliveries: { method: 'GET', path: `${inEnvironment}/endpoints/:endpoint_id/deliveries`, role: 'viewer' },
  getDelivery: {
    method: 'GET',
    path: `${inEnvironment}/endpoints/:endpoint_id/deliveries/:notification_id`,
    role: 'viewer',
  },
  retryDelivery: {
    method: 'POST',
    path: `${inEnvironment}/endpoints/:endpoint_id/deliveries/:notification_id/retry`,
    role: 'member',
  },
  countReplay: { method: 'GET', path: `${inEnvironment}/endpoints/:endpoint_id/replay_count`, role: 'viewer' },
  listReplays: { method: 'GET', path: `${inEnvironment}/endpoints/:endpoint_id/replays`, role: 'viewer' },
  startReplay: { method: 'POST', path: `${inEnvironment}/endpoints/:endpoint_id/replays`, role: 'member' },
  cancelReplay: {
    method: 'POST',
    path: `${inEnvironment}/endpoints/:endpoint_id/replays/:replay_id/cancel`,
    role: 'member',
  },

  listKeys: { method: 'GET', path: `${inEnvironment}/keys`, role: 'viewer' },
  createKey: { method: 'POST', path: `${inEnvironment}/keys`, role: 'admin' },
  renameKey: { method: 'PATCH', path: `${inEnvironment}/keys/:key_id`, role: 'admin' },
  revokeKey: { method: 'POST', path: `${inEnvironment}/keys/:key_id/revoke`, role: 'admin' },

  listMembers: { method: 'GET', path: '/app/api/members', role: 'viewer' },
  updateMember: { method: 'PATCH', path: '/app/api/members/:member_id', role: 'admin' },
  removeMember: { method: 'DELETE', path: '/app/api/members/:member_id', role: 'admin' },
  createPasswordLink: { method: 'POST', path: '/app/api/members/:member_id/link', role: 'owner' },
  createInvitation: { method: 'POST', path: '/app/api/invitations', role: 'admin' },
  revokeInvitation: { method: 'DELETE', path: '/app/api/invitations/:invitation_id', role: 'admin' },

  listAuditEntries: { method: 'GET', path: '/app/api/audit_log', role: 'admin' },
  getAuditEntry: { method: 'GET', path: '/app/api/audit_log/:entry_id', role: 'admin' },
  exportAuditLog: { method: 'GET', path: '/app/api/audit_log/export', role: 'admin' },
  getUsage: { method: 'GET', path: '/app/api/usage', role: 'viewer' },
  updateAccount: { method: 'PATCH', path: '/app/api/account', role: 'owner' },
  getSystem: { method: 'GET', path: '/app/api/system', role: 'admin' },
  search: { method: 'GET', path: `${inEnvironment}/search`, role: 'viewer' },
} as const satisfies Record<string, Path>

export type OperationName = keyof typeof paths

/** Pages of one-time links. The token is in the fragment, which browsers do not send and logs do not record. */
export const linkPages = { set_up: '/app/set-up', invitation: '/app/invitation', password: '/app/set-up' } as const

/** Path segments below /app/ that are pages. No environment gets one of them as its slug. */
export const reservedSlugs = [
  'api',
  'assets',
  'set-up',
  'invitation',
  'sign-in',
  'members',
  'environments',
  'usage',
  'audit-log',
  'system',
  'account',
] as const
