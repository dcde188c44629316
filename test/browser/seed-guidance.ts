import type { FlowDocument } from '../../contract/content/document.ts'
import { starters } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { PROTOCOL_VERSION } from '../../contract/sdk/protocol.ts'
import { VERSION } from '../../server/version.ts'
import type { TestServer } from '../support/client.ts'
import { memberOf } from '../support/dashboard.ts'
import { openPublicSide, Page } from '../support/page.ts'

const environment = 'production'

const tour: FlowDocument = {
  key: 'timeline',
  type: 'flow',
  name: 'Discover the timeline',
  who: {
    all: [
      { attribute: 'plan', is: 'equals', value: 'growth' },
      { attribute: 'seats', is: 'at_least', value: 10 },
    ],
  },
  where: { url: '/projects/*' },
  steps: [
    {
      key: 'hello',
      type: 'dialog',
      blocks: [{ heading: 'See your work on a timeline' }],
      buttons: [{ label: 'Show me', style: 'primary', do: [{ next: true }] }],
    },
    {
      key: 'ask',
      type: 'dialog',
      blocks: [{ heading: 'How likely are you to recommend us?' }, { question: 'ease', kind: 'nps', label: '0 to 10' }],
      buttons: [{ label: 'Send', style: 'primary', do: [{ end: 'completed' }] }],
    },
  ],
}

/** Content that is live and was seen, a draft, a segment and a theme. Answers their ids. */
export async function seedGuidance(server: TestServer): Promise<Record<string, string>> {
  const admin = await memberOf(server, 'admin')
  const { id } = await admin.call('createContent', { environment, document: tour })
  const { draft } = await admin.call('getContent', { environment, content_id: id })
  await admin.call('publishContent', {
    environment,
    content_id: id,
    expected_draft: draft.revision,
    inside: 'finish',
    description: '',
  })
  await admin.call('createContent', { environment, document: starters[2]?.document as never })
  const condition = { attribute: 'plan', is: 'equals', value: 'growth' } as const
  const segment = { key: 'growing', name: 'Growing', scope: 'user', condition } as const
  const { id: segmentId } = await admin.call('createSegment', { environment, ...segment })
  const light = { ...defaultTheme.light, accent: '#5fb8ad', accent_hover: '#4aa69a' }
  await admin.call('saveTheme', { environment, document: { ...defaultTheme, key: 'pale', name: 'Pale', light } })
  for (const user of ['u_1', 'u_2', 'u_4']) await see(server, user)
  await visit(server)
  return { content: id, segment: segmentId, theme: 'pale' }
}

/** Pages of two origins: one signs, and has an error; the other does not sign. A third is refused. */
async function visit({ services, environmentId, url }: TestServer): Promise<void> {
  const origins = ['https://app.example.com', 'https://embed.example.com']
  const { token, sign } = await openPublicSide(services, environmentId, { origins })
  const [app, embed, stranger] = [...origins, 'https://preview.example.com'].map(
    (origin) => new Page({ url, token, origin }),
  ) as [Page, Page, Page]
  for (const user of ['u_1', 'u_2', 'u_3'])
    await app.call(`identify?script=${VERSION}`, {
      ...{ user_id: user, browser_id: app.browserId, protocol: PROTOCOL_VERSION },
      signature: sign(user),
    })
  await app.call('error', { message: 'TypeError: x is undefined' })
  await embed.identify('u_4')
  await stranger.identify('u_1')
  await services.counters.flush()
}

/** The user sees both steps, and answers; the first of them goes on to the end. */
async function see({ client }: TestServer, user: string): Promise<void> {
  const claim = { content: tour.key, user_id: user, holder: 'page', reason: 'manual' }
  const { body } = await client.post('/content_sessions', claim)
  const reports = [
    { type: 'step_seen', step: 'hello' },
    { type: 'step_seen', step: 'ask' },
    { type: 'answered', question: 'ease', value: 9 },
    ...(user === 'u_1' ? [{ type: 'completed' }] : []),
  ].map((report, index) => ({ sequence: index + 1, ...report }))
  await client.post(`/content_sessions/${body.id}/progress`, { holder: 'page', reports })
}
