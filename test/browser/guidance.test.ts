import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import { buildScript } from '../support/built.ts'
import { memberOf } from '../support/dashboard.ts'
import { Page as Visitor } from '../support/page.ts'
import { picture } from './pictures.ts'
import { seed } from './seed.ts'
import { go, openStage, type Stage, watch } from './stage.ts'

const environment = 'production'
const tour: ContentDocument = {
  key: 'tour',
  type: 'flow',
  name: 'Discover the timeline',
  who: {
    all: [
      { attribute: 'plan', is: 'equals', value: 'growth' },
      { attribute: 'seats', is: 'at_least', value: 20 },
    ],
  },
  where: { all: [{ url: '/projects/*' }, { not: { url: '/projects/*/print' } }] },
  steps: [
    {
      key: 'hello',
      type: 'dialog',
      blocks: [{ heading: 'Hello' }],
      buttons: [{ label: 'Done', do: [{ end: 'completed' }] }],
    },
  ],
} as never

let stage: Stage
let id: string
beforeAll(async () => {
  await buildScript()
  stage = await openStage()
  await seed(stage.server)
  const admin = await memberOf(stage.server, 'admin')
  ;({ id } = await admin.call('createContent', { environment, document: tour }))
  const { draft } = await admin.call('getContent', { environment, content_id: id })
  await admin.call('publishContent', {
    environment,
    content_id: id,
    expected_draft: draft.revision,
    inside: 'finish',
    description: '',
  })
})
afterAll(async () => await stage.close())

it('who and when: a change is counted and saved, and a user is checked with the way to the receipt', async () => {
  const page = await stage.show('member', `/content/${id}/who`)
  const problems = watch(page)
  await page.locator('.count-card').getByText('6 of 12 users match').waitFor()
  await page.getByRole('button', { name: 'Value: 20' }).click()
  await page.getByRole('textbox', { name: 'Value' }).fill('50')
  await page.keyboard.press('Enter')
  await page.locator('.count-card').getByText('3 of 12 users match').waitFor()
  await page.getByText('3 fewer than with the version that is live.').waitFor()
  await page.getByRole('button', { name: 'Until completed' }).click()
  await page.getByText('Shown until it is completed').waitFor()
  await page.getByRole('searchbox', { name: 'Id, e-mail or name' }).fill('u_2')
  await page.keyboard.press('Enter')
  await page.getByText('Ada Okafor 2 does not match.').waitFor()
  await picture(page, 'who-1440')
  await page.getByRole('link', { name: 'Why, in full' }).click()
  await page.getByRole('heading', { name: 'Ada Okafor 2 does not see Discover the timeline' }).waitFor()
  await page.getByText('stops here').waitFor()
  expect(problems).toEqual([])
})

it('the profile has the tab Content, and the segments of the user with why', async () => {
  const member = await memberOf(stage.server, 'member')
  const condition = { attribute: 'plan', is: 'equals', value: 'growth' } as const
  await member.call('createSegment', { environment, key: 'growing', name: 'Growing', scope: 'user', condition })
  const page = await stage.show('viewer', '/users/u_2')
  await page.getByRole('region', { name: 'Segments' }).getByRole('link', { name: 'Growing' }).waitFor()
  await page.getByRole('link', { name: 'Content', exact: true }).last().click()
  await page.getByRole('link', { name: 'Discover the timeline' }).click()
  await page.waitForURL(/open=/)
  await page.getByRole('table', { name: 'Content' }).getByText('Will not see').waitFor()
  await page.getByRole('link', { name: 'Open the receipt' }).waitFor()
  await picture(page, 'profile-1440')
  // What comes is said as something that comes, and a card of a phone names no empty value.
  await go(page, `/production/users/u_4/content?open=${id}`)
  await page.getByText(/^Will be shown where the address fits \/projects\/\*.*\.$/).waitFor()
  expect(await page.getByRole('table', { name: 'Content' }).locator('tbody td').last().textContent()).toBe('–')
  await go(page, `/production/content/${id}/receipts/u_4`)
  await page.getByRole('heading', { name: 'Ada Okafor 4 sees Discover the timeline' }).waitFor()
  await page.getByText(/^Will be shown where the address fits \/projects\/\*.*\.$/).waitFor()
})

it('an admin installs: a token, an origin, a secret; a viewer only reads', async () => {
  const page = await stage.show('admin', '/settings/install')
  await page.getByRole('heading', { name: 'Nothing is installed yet' }).waitFor()
  await page.getByRole('button', { name: 'Create', exact: true }).click()
  await page.locator('.token code', { hasText: 'pk_' }).waitFor()
  await page.getByRole('textbox', { name: 'Origin to allow' }).fill('https://app.kestrel.example')
  await page.keyboard.press('Enter')
  await page.getByText('https://app.kestrel.example').first().waitFor()
  await page.getByRole('button', { name: 'Create a secret' }).click()
  await page.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByText(/Secret …/).waitFor()
  await picture(page, 'install-1440')
  const token = (await page.locator('.token code').innerText()).trim()
  const visitor = new Visitor({ url: stage.server.url, token, origin: 'https://app.kestrel.example' })
  await visitor.identify('u_1', { signature: 'made up' })
  await visitor.identify('u_2')
  await page.getByRole('status').filter({ hasText: 'Received u_2 without a signature' }).waitFor()
  await page.getByText('If you switch it on now, 2 users like those since yesterday would be refused.').waitFor()
  await page.getByRole('link', { name: 'Show the 2' }).click()
  const drawer = page.getByRole('complementary', { name: 'Users without a good signature' })
  await drawer.getByRole('link', { name: 'Ada Okafor 2' }).waitFor()
  await drawer.getByText('with a wrong signature · https://app.kestrel.example').waitFor()
  await picture(page, 'install-lacking-1440')
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Rotate' }).click()
  await page
    .getByRole('dialog', { name: /^Rotate the token …/ })
    .getByRole('button', { name: 'Rotate it' })
    .click()
  await page.locator('.token').nth(1).getByText(/ends/).waitFor()
  expect(await page.locator('.token code').nth(1).innerText()).toBe(token)
  expect((await visitor.identify('u_2')).status).toBe(200)
  await picture(page, 'install-rotated-1440')
  // What pages use ends only when that is confirmed.
  await page.locator('.token').nth(1).getByText('Revoke', { exact: true }).click()
  const ask = page.getByRole('dialog')
  await ask.getByText(/Pages that load with it show nothing within a second/).waitFor()
  await ask.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Revoke the secret …/ }).click()
  await ask.getByRole('button', { name: 'Revoke it' }).click()
  await page.getByText(/Secret …/).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Remove localhost' }).click()
  await ask.getByRole('button', { name: 'Remove origin' }).click()
  await page.getByText('localhost', { exact: true }).waitFor({ state: 'detached' })
  expect((await visitor.identify('u_2')).status).toBe(200)
})

it('an admin makes a theme, takes the colour that can be read, and saves it; leaving with a change asks', async () => {
  const page = await stage.show('admin', '/themes')
  const problems = watch(page)
  await page.getByRole('button', { name: 'New theme' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Evening')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Evening' }).waitFor()
  await page.getByText('All pass: text needs 4.5, shapes 3').waitFor()
  await page.getByRole('textbox', { name: 'Accent, light', exact: true }).fill('#5fb8ad')
  await page.getByText('2 pairs too close to read').waitFor()
  const frame = page.frameLocator('iframe[title="Dialog, light"]')
  const painted = () =>
    frame
      .getByRole('button', { name: 'Show me' })
      .evaluate((button) => button.ownerDocument.defaultView?.getComputedStyle(button).backgroundColor)
  await expect.poll(painted).toBe('rgb(95, 184, 173)')
  // The pictures are three quarters of what users see, until they are wanted whole.
  const scaleOf = () =>
    page.locator('iframe[title="Dialog, light"]').evaluate((own) => own.getBoundingClientRect().width / own.clientWidth)
  const ownWidth = () => frame.getByRole('dialog').evaluate((dialog) => dialog.getBoundingClientRect().width)
  const widthOf = async () => Math.round((await ownWidth()) * (await scaleOf()))
  await expect.poll(widthOf).toBe(324)
  await page.getByRole('button', { name: 'At full size' }).click()
  await expect.poll(widthOf).toBe(432)
  await page.getByRole('button', { name: 'At full size' }).click()
  // The controls are there in every width.
  for (const width of [1000, 375, 1440]) {
    await page.setViewportSize({ width, height: 1000 })
    const accent = page.getByRole('textbox', { name: 'Accent, light', exact: true })
    await accent.scrollIntoViewIfNeeded()
    expect([width, (await accent.boundingBox())?.x ?? width]).toEqual([
      width,
      expect.toSatisfy((x: number) => x < width),
    ])
  }
  // Its columns scroll, and the page around them does not.
  await page.setViewportSize({ width: 1440, height: 700 })
  expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(700)
  await page.setViewportSize({ width: 1440, height: 1000 })
  await page.getByRole('link', { name: 'Themes' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: /^Use #.* for button text on accent, light/ }).click()
  await page.getByText('All pass: text needs 4.5, shapes 3').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  // What is changed while a save is under way is saved by the next one: it is no change of somebody else.
  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  await page.route('**/themes', async (route) => {
    if (route.request().method() === 'POST') await held
    await route.continue()
  })
  const choose = (group: string, name: string) =>
    page.getByRole('group', { name: group }).getByRole('button', { name, exact: true }).click()
  const read = page.waitForResponse(
    (response) => response.request().method() === 'GET' && response.url().endsWith('/themes'),
  )
  await choose('Radius', '18')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await choose('Shadow', 'Strong')
  answer()
  await read
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  await page.unroute('**/themes')
  // A colour may be given without its sign, and with three digits.
  const text = page.getByRole('textbox', { name: 'Text, light', exact: true })
  await text.fill('1a2b3c')
  expect(await text.inputValue()).toBe('#1a2b3c')
  await text.fill('123')
  await text.press('Tab')
  expect(await text.inputValue()).toBe('#112233')
  // Somebody else deletes it: what was changed is kept, and can be saved.
  const other = await memberOf(stage.server, 'admin')
  await other.call('deleteTheme', { environment, theme_key: 'evening' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Somebody else deleted this theme. Yours is kept here.').waitFor()
  await page.getByRole('button', { name: 'Save as a new theme' }).click()
  await page.getByRole('status').filter({ hasText: 'Saved' }).waitFor()
  const { data } = await other.call('listThemes', { environment })
  expect(data.find(({ document }) => document.key === 'evening')?.document.light.text).toBe('#112233')
  // A copy takes the changes along, and what is deleted needs none: neither asks whether to leave.
  await choose('Radius', '6')
  await page.getByRole('button', { name: 'More about Evening' }).click()
  await page.getByRole('menuitem', { name: 'Duplicate…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('Night')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Night' }).waitFor()
  await page.goBack()
  await choose('Radius', '0')
  await page.getByRole('button', { name: 'More about Evening' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('button', { name: 'Delete theme' }).click()
  await page.getByRole('heading', { name: 'Themes', level: 1 }).waitFor()
  expect(problems).toEqual([])
})
