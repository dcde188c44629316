import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { memberOf } from '../support/dashboard.ts'
import { seed } from './seed.ts'
import { load, openStage, type Stage, settled, watch } from './stage.ts'

let stage: Stage
beforeAll(async () => {
  stage = await openStage()
  await seed(stage.server)
})
afterAll(async () => await stage.close())

const focused = (page: Page) =>
  page.evaluate<string>(
    "document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? ''",
  )

it('from Home to a user, an edit, a key and back, without a pointer', async () => {
  const page = await stage.tab('owner')
  const problems = watch(page)
  await load(page, `${stage.server.url}/app/production/users`)

  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Skip to the content')
  await page.keyboard.press('/')
  expect(await focused(page)).toBe('Search users')
  await page.keyboard.type('ada okafor 1')
  await page.waitForURL(/q=ada/)
  await page.getByRole('row').nth(1).waitFor()
  // Search, filter, columns, then the head, then the one stop of the rows.
  for (let index = 0; index < 12 && !(await page.evaluate("document.activeElement?.matches('[data-row]')")); index++) {
    await page.keyboard.press('Tab')
  }
  await page.keyboard.press('ArrowDown')
  expect(await page.evaluate("document.activeElement?.matches('[data-row]')")).toBe(true)
  await page.keyboard.press('Enter')
  await page.waitForURL(/users\/u_1/)
  await page
    .getByRole('button', { name: /^Edit / })
    .first()
    .waitFor()

  await page.keyboard.press('e')
  await page.locator('input.in-row, select.in-row').waitFor()
  await page.keyboard.press('Escape')
  expect(await page.locator('input.in-row, select.in-row').count()).toBe(0)

  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.waitForURL(/\/keys/)
  await page.keyboard.press('g')
  await page.keyboard.press('s')
  await page.waitForURL(/\/segments/)
  await page.goBack()
  await page.waitForURL(/\/keys/)
  await settled(page)
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  await palette.waitFor()
  await page.keyboard.type('Create')
  await page.getByRole('option', { name: 'Create key' }).waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  // Letters right after the shortcut are not lost.
  await page.keyboard.press('Control+k')
  await page.keyboard.type('audit')
  expect(await page.getByRole('combobox').inputValue()).toBe('audit')
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')
  await page.goBack()
  await page.waitForURL(/users\/u_1/)
  expect(problems).toEqual([])
})

it('of the themes the chosen one has the tick, and on a phone the menu has nothing that needs a keyboard', async () => {
  const page = await stage.show('viewer', '/keys')
  const menu = () => page.getByRole('button', { name: /account and appearance/ })
  const ticked = () => page.locator('[role=menuitemradio]:has(.tick)').allInnerTexts()
  await menu().first().click()
  for (const name of ['Dark', 'Light', 'As the system']) {
    await page.getByRole('menuitemradio', { name }).click()
    await expect.poll(ticked).toEqual([name])
  }
  await page.getByRole('menuitem', { name: 'Keyboard' }).waitFor()
  await page.keyboard.press('Escape')

  await page.setViewportSize({ width: 375, height: 812 })
  onTestFinished(async () => await page.setViewportSize({ width: 1440, height: 1000 }))
  await page.getByRole('button', { name: 'More' }).click()
  await page
    .getByRole('dialog', { name: 'More' })
    .getByRole('button', { name: /account and appearance/ })
    .click()
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Keyboard' }).count()).toBe(0)
})

it('what disappears under the focus leaves it next to its place', async () => {
  const owner = await memberOf(stage.server, 'owner')
  for (const name of ['first', 'second']) await owner.call('createKey', { environment: 'production', name })
  const page = await stage.tab('owner')
  await load(page, `${stage.server.url}/app/production/keys`)

  await page.getByRole('button', { name: 'Edit the name of second' }).press('Enter')
  await page.keyboard.type(' one')
  await page.keyboard.press('Enter')
  await expect.poll(() => focused(page)).toBe('Edit the name of second one')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('Edit the name of second one')

  // Its button is gone.
  await page.getByRole('button', { name: 'Revoke first' }).press('Enter')
  await page.getByRole('button', { name: 'Revoke key' }).press('Enter')
  await page.getByRole('dialog', { name: 'Revoke first?' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('row', { name: 'first' }).locator(':focus').count()).toBe(1)

  // Whoever clicks beside everything has the focus nowhere, whatever disappears then.
  await page.getByRole('button', { name: 'Edit the name of second one' }).focus()
  await page.evaluate('document.activeElement.blur()')
  await page.evaluate(`new Promise((done) => setTimeout(() => {
    document.querySelector('[aria-label="Edit the name of second one"]').remove()
    requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done)))
  }, 20))`)
  expect(await page.evaluate('document.activeElement === document.body')).toBe(true)
})

const isInDialog = (page: Page) => page.evaluate<boolean>("document.activeElement?.closest('[role=dialog]') !== null")

it('a dialog traps the focus and returns it', async () => {
  const page = await stage.tab('owner')
  await load(page, `${stage.server.url}/app/production/keys`)
  await page.getByRole('button', { name: 'Create key' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').waitFor()
  await expect.poll(() => isInDialog(page)).toBe(true)
  for (let index = 0; index < 6; index++) {
    await page.keyboard.press('Tab')
    await expect.poll(() => isInDialog(page)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  expect(await focused(page)).toContain('Create key')
})
