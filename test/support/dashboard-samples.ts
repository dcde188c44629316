import { defaultTheme } from '../../contract/content/theme.ts'
import type { Input } from '../../contract/dashboard/operations.ts'
import { type OperationName, paths } from '../../contract/dashboard/paths.ts'
import { newId } from '../../server/ids.ts'
import { insertProposal } from '../../server/in-place/proposal-queries.ts'
import type { TestServer } from './client.ts'
import { tour } from './content.ts'
import { type Browser, memberOf } from './dashboard.ts'
import { uniqueName } from './postgres.ts'

/** The operations that need a session, but those that end it, and the one whose answer has no end. */
export type SampledOperation = Exclude<
  OperationName,
  'getWelcome' | 'signIn' | 'readLink' | 'useLink' | 'signOut' | 'changePassword' | 'watchLive'
>

/** Some things belong to the member who made them: `by` is to be the one who asks. */
type Samples = { [Name in SampledOperation]: (by: Browser) => Promise<Input<Name>> }

/** Whatever a sample names begins with this. */
export const MARK = 'only-a'

const environment = 'production'
const unique = () => uniqueName(MARK)

/**
 * For each operation an input that the server accepts: it names what exists in the account of this server. What an
 * operation ends is made for each call anew. An operation without a sample does not compile.
 */
export async function sampleInputs(server: TestServer, owner: Browser): Promise<Samples> {
  const { client } = server
  await client.post('/users', { id: MARK, attributes: { note: MARK }, groups: [{ id: MARK }] })
  const event = await client.post('/events', { name: MARK, user_id: MARK, attributes: { note: MARK } })
  const { id: endpoint_id } = await newEndpoint()
  await owner.call('createEnvironment', { name: 'Only A' })
  const refused = await client.post('/users', { id: MARK, [MARK]: MARK })
  const request_id = String(refused.headers['request-id'])
  const definition = async (of: 'listEventDefinitions' | 'listAttributeDefinitions') =>
    ({ environment, definition_id: (await owner.call(of, { environment })).data[0]?.id as string }) as const

  async function newEndpoint() {
    const hook = { url: `http://127.0.0.1:9/${unique()}`, topics: ['event.tracked.nothing'] }
    return await owner.call('createEndpoint', { environment, ...hook })
  }
  async function newTheme() {
    return { environment, document: { ...defaultTheme, key: unique().toLowerCase(), name: MARK } }
  }
  async function newUser() {
    const user_id = unique()
    await client.post('/users', { id: user_id, groups: [{ id: user_id }] })
    return { environment, user_id }
  }
  async function newGroup() {
    const group_id = unique()
    await client.post('/groups', { id: group_id })
    return { environment, group_id }
  }
  async function newKey() {
    const { id } = await owner.call('createKey', { environment, name: unique() })
    return { environment, key_id: String(id) }
  }
  async function newMember() {
    const someone = await memberOf(server, 'viewer')
    const { member } = await someone.call('getSession', {})
    await someone.close()
    return { member_id: member.id }
  }
  async function newContent() {
    const { id } = await owner.call('createContent', { environment, document: tour(unique().replaceAll('_', '-')) })
    const { draft } = await owner.call('getContent', { environment, content_id: id })
    return { content: { environment, content_id: id }, draft }
  }
  async function newPublished() {
    const { content, draft } = await newContent()
    const choices = { expected_draft: draft.revision, inside: 'finish' as const, description: '' }
    await owner.call('publishContent', { ...content, ...choices })
    return content
  }
  async function newDelivery() {
    const { notification_id } = await owner.call('testEndpoint', { environment, endpoint_id })
    return { environment, endpoint_id, notification_id }
  }

  async function newEdit(by: Browser) {
    const { content } = await newContent()
    const { id } = await by.call('openInPlace', { ...content, ...page })
    return { ...content, edit_id: id }
  }
  async function newSegment() {
    const key = unique().replaceAll('_', '-')
    const { id } = await owner.call('createSegment', { environment, key, name: MARK, scope: 'user', condition })
    return { environment, segment_id: id }
  }
  async function newToken() {
    const { id } = await owner.call('createToken', { environment, name: MARK })
    return { environment, token_id: String(id) }
  }

  async function newOrigin() {
    const { origin } = await owner.call('addOrigin', {
      environment,
      origin: `https://${unique().replaceAll('_', '-')}.example`,
    })
    return { environment, origin }
  }
  /** At most two secrets are live. */
  async function withoutSecrets() {
    const { secrets } = await owner.call('getInstallation', { environment })
    for (const { id } of secrets) await owner.call('revokeIdentitySecret', { environment, secret_id: id })
    return { environment }
  }
  const page = { address: 'http://localhost:3000/', purpose: 'pick' } as const
  const condition = { attribute: 'note', is: 'equals', value: MARK } as const

  const user = async () => ({ environment, user_id: MARK })
  const group = async () => ({ environment, group_id: MARK })
  const endpoint = async () => ({ environment, endpoint_id })
  const content = async () => (await newContent()).content
  const inside = async () => ({ environment })
  const none = async () => ({})
  const since = new Date(Date.now() - 60_000).toISOString()

  return {
    getSession: none,
    updateProfile: async () => ({ name: 'Somebody' }),
    listEnvironments: none,
    createEnvironment: async () => ({ name: unique() }),
    renameEnvironment: async () => ({ environment: 'only-a', name: 'Only A' }),
    deleteEnvironment: async () => {
      const { slug, name } = await owner.call('createEnvironment', { name: unique() })
      return { environment: slug, name }
    },
    copyDescriptions: async () => ({ environment: 'only-a', from: environment }),
    getHome: inside,
    listUsers: inside,
    createUser: async () => ({ environment, id: unique() }),
    getUser: user,
    updateUser: async () => ({ ...(await user()), attributes: { note: MARK } }),
    deleteUser: newUser,
    getUserDeletion: user,
    listUserGroups: user,
    listUserTimeline: user,
    listGroups: inside,
    createGroup: async () => ({ environment, id: unique() }),
    getGroup: group,
    updateGroup: async () => ({ ...(await group()), attributes: { note: MARK } }),
    deleteGroup: newGroup,
    getGroupDeletion: group,
    listGroupMembers: group,
    listGroupTimeline: group,
    setMembership: async () => ({ ...(await user()), ...(await group()), attributes: { note: MARK } }),
    removeMembership: async () => {
      const { user_id } = await newUser()
      return { environment, user_id, group_id: user_id }
    },
    trackEvent: async () => ({ environment, name: MARK, user_id: MARK }),
    getEvent: async () => ({ environment, event_id: event.body.id }),
    getRequest: async () => ({ environment, request_id }),
    listRequestErrors: inside,
    listEventDefinitions: inside,
    getEventDefinition: () => definition('listEventDefinitions'),
    updateEventDefinition: async () => ({ ...(await definition('listEventDefinitions')), description: MARK }),
    listAttributeDefinitions: inside,
    getAttributeDefinition: () => definition('listAttributeDefinitions'),
    updateAttributeDefinition: async () => ({ ...(await definition('listAttributeDefinitions')), description: MARK }),
    listContent: inside,
    createContent: async () => ({ environment, document: tour(unique().replaceAll('_', '-')) }),
    getContent: content,
    saveDraft: async () => {
      const { content, draft } = await newContent()
      return { ...content, document: draft.document, expected_draft: draft.revision }
    },
    copyContent: async () => ({ ...(await content()), to: 'only-a' }),
    planPublication: content,
    getPlanProgress: content,
    publishContent: async () => {
      const { content, draft } = await newContent()
      return { ...content, expected_draft: draft.revision, inside: 'finish', description: '' }
    },
    unpublishContent: newPublished,
    deleteContent: newPublished,
    listVersions: content,
    getVersion: async () => ({ ...(await content()), number: '1' }),
    getResults: content,
    exportResults: content,
    listCountedRuns: async () => ({ ...(await content()), of: 'seen' as const }),
    listTargets: content,
    listAnswers: async () => ({ ...(await content()), question: 'none' }),
    listThemes: async () => ({ environment }),
    saveTheme: newTheme,
    deleteTheme: async () => {
      const { document } = await newTheme()
      await owner.call('saveTheme', { environment, document })
      return { environment, theme_key: document.key }
    },
    updateGuidance: async () => ({ environment, quiet_seconds: 0 }),
    openInPlace: async () => ({ ...(await content()), ...page }),
    previewDraft: async () => ({ ...(await newPublished()), user_id: MARK }),
    getInPlace: newEdit,
    settleProposal: async (by) => {
      const edit = await newEdit(by)
      const proposal = { id: newId(), step: null, locators: '[]', page: MARK, created_at: new Date().toISOString() }
      await insertProposal(server.database, server.environmentId, edit.edit_id, proposal)
      return { ...edit, proposal_id: proposal.id, confirmed: true }
    },
    listSegments: inside,
    getSegment: newSegment,
    createSegment: async () => {
      const key = unique().replaceAll('_', '-')
      return { environment, key, name: MARK, scope: 'user', condition }
    },
    updateSegment: async () => ({ ...(await newSegment()), name: MARK }),
    deleteSegment: newSegment,
    countCondition: async () => ({ environment, condition }),
    sampleCondition: async () => ({ environment, condition, scope: 'user' }),
    explainCondition: async () => ({ environment, condition, user_id: MARK }),
    listValues: async () => ({ environment, of: 'user', name: 'note' }),
    listSegmentsOf: async () => ({ environment, scope: 'user', id: MARK }),
    getReceipt: async () => ({ ...(await newPublished()), user_id: MARK }),
    showAgain: async () => ({ ...(await newPublished()), user_id: MARK }),
    listContentOfUser: user,
    getInstallation: inside,
    listLackingUsers: inside,
    createToken: async () => ({ environment, name: MARK }),
    rotateToken: newToken,
    revokeToken: newToken,
    addOrigin: async () => ({ environment, origin: `https://${unique().replaceAll('_', '-')}.example` }),
    removeOrigin: newOrigin,
    createIdentitySecret: withoutSecrets,
    revokeIdentitySecret: async () => {
      const { id } = await owner.call('createIdentitySecret', await withoutSecrets())
      return { environment, secret_id: id }
    },
    setIdentity: async () => ({ environment, identity: 'report' }),
    listEndpoints: inside,
    createEndpoint: async () => ({
      environment,
      url: `http://127.0.0.1:9/${unique()}`,
      topics: ['event.tracked.nothing'],
    }),
    getEndpoint: endpoint,
    updateEndpoint: async () => ({ ...(await endpoint()), topics: ['event.tracked.nothing'] }),
    deleteEndpoint: async () => ({ environment, endpoint_id: (await newEndpoint()).id }),
    rotateSecret: async () => ({ environment, endpoint_id: (await newEndpoint()).id }),
    testEndpoint: endpoint,
    listDeliveries: endpoint,
    getDelivery: newDelivery,
    retryDelivery: newDelivery,
    countReplay: async () => ({ ...(await endpoint()), since }),
    listReplays: endpoint,
    startReplay: async () => ({ ...(await endpoint()), since }),
    cancelReplay: async () => {
      const { id } = await owner.call('startReplay', { environment, endpoint_id, since })
      return { environment, endpoint_id, replay_id: id }
    },
    listKeys: inside,
    createKey: async () => ({ environment, name: unique() }),
    renameKey: async () => ({ ...(await newKey()), name: unique() }),
    revokeKey: newKey,
    listMembers: none,
    updateMember: async () => ({ ...(await newMember()), role: 'member' }),
    removeMember: newMember,
    createPasswordLink: newMember,
    createInvitation: async () => ({ role: 'viewer' }),
    revokeInvitation: async () => {
      const { invitation } = await owner.call('createInvitation', { role: 'viewer' })
      return { invitation_id: invitation.id }
    },
    listAuditEntries: none,
    getAuditEntry: async () => ({
      entry_id: (await owner.call('listAuditEntries', { limit: 1 })).data[0]?.id as string,
    }),
    exportAuditLog: none,
    getUsage: none,
    updateAccount: async () => ({ idle_hours: null }),
    getSystem: none,
    search: async () => ({ environment, q: MARK }),
  }
}

/** Whether its address names something besides the environment. */
export function namesOneThing(name: OperationName): boolean {
  return /:(?!environment\b)\w/.test(paths[name].path)
}
