import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { emptyDocument } from '../../contract/content/starters.ts'
import { defaultTheme } from '../../contract/content/theme.ts'
import { startTestServer, type TestServer } from '../support/client.ts'
import { type Browser, memberOf } from '../support/dashboard.ts'

const environment = 'production'
let server: TestServer
let admin: Browser
beforeAll(async () => {
  server = await startTestServer()
  admin = await memberOf(server, 'admin')
})
afterAll(async () => await server.close())

const themeOf = async (key: string) =>
  (await admin.call('listThemes', { environment })).data.find(({ document }) => document.key === key)

it('the default theme is listed before it is stored, with the content that has no theme of its own', async () => {
  const { id } = await admin.call('createContent', { environment, document: emptyDocument('banner') })
  const uses = [{ id, name: 'New banner', is_live: false }]
  expect(await themeOf('default')).toEqual({ id: null, document: defaultTheme, edited_at: null, used_by: uses })
})

it('a theme is not deleted while a draft or a live version names it', async () => {
  const night = { ...defaultTheme, key: 'night', name: 'Night' }
  await admin.call('saveTheme', { environment, document: night, expected: null })
  const document = { ...emptyDocument('banner'), theme: 'night' }
  const { id } = await admin.call('createContent', { environment, document })
  const at = { environment, content_id: id }
  const { draft } = await admin.call('getContent', at)
  const version = { expected_draft: draft.revision, inside: 'finish', description: '' } as const
  await admin.call('publishContent', { ...at, ...version })
  expect((await themeOf('night'))?.used_by).toEqual([{ id, name: 'New banner', is_live: true }])
  const refused = await admin.send('deleteTheme', { environment, theme_key: 'night' })
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('It is the theme of New banner.')])
  await admin.call('deleteContent', at)
  await admin.call('deleteTheme', { environment, theme_key: 'night' })
  expect(await themeOf('night')).toBeUndefined()
})

it('a theme is not deleted when content gets it at the same time', async () => {
  const dawn = { ...defaultTheme, key: 'dawn', name: 'Dawn' }
  await admin.call('saveTheme', { environment, document: dawn, expected: null })
  const document = { ...emptyDocument('banner'), theme: 'dawn' }
  const { commits } = server.services
  const submit = commits.submit.bind(commits)
  const spy = vi.spyOn(commits, 'submit').mockImplementationOnce(async (...given) => {
    await admin.call('createContent', { environment, document })
    return await submit(...given)
  })
  const refused = await admin.send('deleteTheme', { environment, theme_key: 'dawn' })
  spy.mockRestore()
  expect([refused.status, refused.text]).toEqual([409, expect.stringContaining('It is the theme of New banner.')])
})

it('of two people who change a theme, the second is told, and nothing is lost', async () => {
  const document = { ...defaultTheme, key: 'dusk', name: 'Dusk' }
  await admin.call('saveTheme', { environment, document, expected: null })
  const expected = (await themeOf('dusk'))?.edited_at ?? null
  const sam = await memberOf(server, 'admin', 'sam@example.com')
  await sam.call('saveTheme', { environment, document: { ...document, radius: 6 }, expected })
  const second = await admin.send('saveTheme', { environment, document: { ...document, radius: 18 }, expected })
  expect([second.status, second.text]).toEqual([
    409,
    expect.stringContaining('sam has changed the theme Dusk meanwhile.'),
  ])
  expect((await themeOf('dusk'))?.document.radius).toBe(6)
  expect((await admin.send('saveTheme', { environment, document, expected: null })).status).toBe(409)
  // One that was deleted meanwhile does not come back unseen.
  await sam.call('deleteTheme', { environment, theme_key: 'dusk' })
  expect((await admin.send('saveTheme', { environment, document, expected })).status).toBe(404)
})

it('publishing warns of colours that are too close, and does not forbid them', async () => {
  const light = { ...defaultTheme.light, text: '#aaaaaa' }
  const pale = { ...defaultTheme, key: 'pale', name: 'Pale', light }
  await admin.call('saveTheme', { environment, document: pale })
  const { id } = await admin.call('createContent', {
    environment,
    document: { ...emptyDocument('banner'), theme: 'pale' },
  })
  const plan = await admin.call('planPublication', { environment, content_id: id })
  expect(plan.problems).toEqual([])
  expect(JSON.stringify(plan.warnings)).toContain('text on background of the theme `pale` has a contrast of 2.3')
})
