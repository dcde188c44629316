import { afterAll, beforeAll, expect, it } from 'vitest'
import { button, flow, heading, step, text } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const BODY =
  '<main><h1>Projects</h1><button data-testid="a">Export</button><a href="#x" data-usher="b">Share</a></main>'
const types = () => stage.usher.reports.map(({ type }) => type)

it('shows the first flow on a page of another origin, step by step, and reports what was seen', async () => {
  const end = button('Done', { end: 'completed' })
  await stage.show(flow([step('a'), step('b', { buttons: [end] })]))
  const page = await stage.open(BODY)
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect.poll(types).toEqual(['step_seen', 'step_seen', 'completed', 'ended'])
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(stage.usher.reports.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
  expect(stage.problems).toEqual([])
})

it('goes on at the same step after a reload', async () => {
  await stage.show(flow([step('a'), step('b')]))
  const page = await stage.open(BODY)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await expect.poll(types).toEqual(['step_seen', 'step_seen'])
  await page.reload()
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  expect(types()).toEqual(['step_seen', 'step_seen'])
  await page.getByRole('button', { name: 'Close' }).click()
  await expect.poll(types).toEqual(['step_seen', 'step_seen', 'ended'])
})

it('a click on the target leads on, also when it leaves the page', async () => {
  const advance = [{ on: 'target_click' as const, to: 'later', end: null }]
  await stage.show(flow([step('b', { advance }), step('later', { type: 'dialog', blocks: [heading('Later')] })]))
  const page = await stage.open(BODY.replace('href="#x"', 'href="/next"'))
  await page.getByRole('dialog', { name: 'Step b' }).waitFor()
  await page.getByRole('link', { name: 'Share' }).click()
  await page.getByRole('dialog', { name: 'Later' }).waitFor()
  expect(page.url()).toContain('/next')
})

it('a dialog keeps the focus, is named by its heading, gives the focus back, and closes by Escape', async () => {
  await stage.show(flow([step('d', { type: 'dialog', blocks: [heading('Welcome'), text('Hello.')] })]))
  const page = await stage.open(`${BODY}<script nonce="host">document.querySelector('button').focus()</script>`)
  const dialog = page.getByRole('dialog', { name: 'Welcome' })
  await dialog.waitFor()
  for (let count = 0; count < 4; count++) await page.keyboard.press('Tab')
  const inside = await page.evaluate(
    'document.activeElement.hasAttribute("data-usher-widget") || document.activeElement === document.body',
  )
  expect(inside).toBe(true)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.evaluate('document.activeElement.dataset.testid')).toBe('a')
  await expect.poll(() => stage.usher.reports.at(-1)).toMatchObject({ type: 'ended', reason: 'escape' })
})

it('a tooltip leaves the focus where it is, is announced, and F6 goes in and out', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(`${BODY}<script nonce="host">document.querySelector('a').focus()</script>`)
  await page.getByRole('dialog', { name: 'Step a' }).waitFor()
  expect(await page.evaluate('document.activeElement.dataset.usher')).toBe('b')
  await expect.poll(() => page.getByRole('status').textContent()).toBe('Step a. The text of a. Press F6 to go there.')
  await page.keyboard.press('F6')
  expect(await page.evaluate('document.activeElement.hasAttribute("data-usher-widget")')).toBe(true)
  await page.keyboard.press('F6')
  expect(await page.evaluate('document.activeElement.dataset.usher')).toBe('b')
  // Also when nothing had the focus before.
  await page.evaluate('document.activeElement.blur()')
  for (const isInside of [true, false]) {
    await page.keyboard.press('F6')
    expect(await page.evaluate('document.activeElement.hasAttribute("data-usher-widget")')).toBe(isInside)
  }
})
