import type { BrowserContext, Page } from 'playwright-core'
import { createSetUpLink } from '../../server/members/set-up.ts'
import { buildScript } from '../support/built.ts'
import { newLinkToken } from '../support/dashboard.ts'
import { seed } from './seed.ts'
import { seedGuidance } from './seed-guidance.ts'
import { openStage, type Stage } from './stage.ts'

/** Each page, with its address below an environment; `{event}` and the like are ids that the server gives. */
export const PAGES: Record<string, string> = {
  home: '',
  'home, set up': '?set_up=yes',
  live: '/live',
  'live, events': '/live?view=events',
  'live, errors': '/live?view=errors',
  'live, a request beside it': '/live?open={request}',
  request: '/requests/{request}',
  users: '/users',
  'users, one beside them': '/users?open=u_1',
  user: '/users/u_1',
  'user that is not there': '/users/nobody',
  'content of a user': '/users/u_3/content',
  'content of a user, one beside it': '/users/u_1/content?open={content}',
  content: '/content',
  'new content': '/content?new=yes',
  steps: '/content/{content}/steps',
  publishing: '/content/{content}/steps?publish=yes',
  'who and when': '/content/{content}/who',
  results: '/content/{content}/results',
  'results, the users behind a figure': '/content/{content}/results?of=seen',
  versions: '/content/{content}/versions',
  receipt: '/content/{content}/receipts/u_3',
  themes: '/themes',
  theme: '/themes/{theme}',
  segments: '/segments',
  segment: '/segments/{segment}',
  install: '/settings/install',
  'install, who did not sign': '/settings/install?show=lacking',
  groups: '/groups',
  group: '/groups/g_1',
  events: '/events',
  event: '/events/{event}',
  attributes: '/attributes',
  attribute: '/attributes/{attribute}',
  webhooks: '/webhooks',
  endpoint: '/webhooks/{endpoint}',
  delivery: '/webhooks/{endpoint}/{notification}',
  keys: '/keys',
  members: '/members',
  environments: '/environments',
  usage: '/usage',
  system: '/system',
  'audit log': '/audit-log',
  account: '/account',
  'no page': '/nothing',
}

/**
 * What is shown without a session: the heading of each page, by its address. Neighbours differ in more than their
 * fragments: another fragment alone would not load the page again.
 */
export const GATES: Record<string, string> = {
  'invitation#{invitation}': 'Join ',
  'sign-in': 'Sign in',
  'invitation#nonsense': 'This link is not known, or was cut when it was copied.',
  'set-up#{set_up}': 'Set up Usher',
}

export const STATES = ['data', 'empty', 'failing'] as const
export type State = (typeof STATES)[number]

export interface EveryPage {
  stage: Stage
  /** The path of a page below /app, in the environment that is in this state. */
  pathOf(name: string, state: State): string
  gate(address: string): string
}

export async function openEveryPage(users?: number): Promise<EveryPage> {
  await buildScript()
  const stage = await openStage()
  const { server } = stage
  await seed(server, users)
  const setUp = await createSetUpLink(server.database)
  const owner = await stage.tab('owner')
  const { headers } = await server.client.get('/users/nobody')
  const ids: Record<string, string | undefined> = {
    ...(await idsOf(owner.context(), server.url)),
    set_up: setUp?.split('#')[1],
    invitation: await newLinkToken(server.database, 'viewer'),
    request: String(headers['request-id']),
    ...(await seedGuidance(server)),
  }
  const filled = (address: string) => address.replaceAll(/\{(\w+)\}/g, (_, key: string) => ids[key] ?? 'missing')
  const environmentOf = (state: State) => (state === 'empty' ? 'staging' : 'production')
  return {
    stage,
    pathOf: (name, state) => `/${environmentOf(state)}${filled(PAGES[name] as string)}`,
    gate: filled,
  }
}

/** From the next load on the server answers, but everything behind the session fails. */
export async function fail(page: Page): Promise<void> {
  const error = {
    code: 'internal_error',
    message: 'The database did not answer within 5 seconds.',
    request_id: 'req_failing',
  }
  // Routes see what a page asks for, not what its shared worker does.
  await page.addInitScript('delete globalThis.SharedWorker')
  await page.route(/\/app\/api\/(?!session|welcome)/, (route) => route.fulfill({ status: 500, json: { error } }))
}

/** Ids that the server has given, and an endpoint that nothing listens on, with a delivery that fails. */
async function idsOf(window: BrowserContext, url: string): Promise<Record<string, string | undefined>> {
  const api = `${url}/app/api/environments/production`
  const first = async (path: string) => {
    const { data } = (await (await window.request.get(`${api}${path}`)).json()) as { data: { id: string }[] }
    return data[0]?.id
  }
  const post = async (path: string, data: object) => {
    const answer = await window.request.post(`${api}${path}`, { headers: { origin: url }, data })
    return (await answer.json()) as Record<string, string>
  }
  const endpoint = await post('/endpoints', { url: 'http://127.0.0.1:9/hooks', topics: ['*'] })
  const test = await post(`/endpoints/${endpoint.id}/test`, {})
  return {
    event: await first('/event_definitions'),
    attribute: await first('/attribute_definitions?q=seats'),
    endpoint: endpoint.id,
    notification: test.notification_id,
  }
}
