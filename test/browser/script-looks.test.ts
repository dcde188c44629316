import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from 'vitest'
import type { RenderedContent } from '../../contract/content/rendered.ts'
import { banner, button, checklist, flow, heading, launcher, step, task, text } from '../support/rendered.ts'
import { openScriptStage, type ScriptStage } from './script-stage.ts'

/** What end users see, read with axe in both themes, on large screens and on phones. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
let stage: ScriptStage
beforeAll(async () => {
  stage = await openScriptStage()
})
afterAll(async () => await stage.close())

const ask = (kind: string, given = {}) =>
  ({ question: kind, id: kind, kind, label: [{ text: `Ask ${kind}` }], ...given }) as never
const questions = [
  ask('nps', { low: 'not likely', high: 'very likely' }),
  ask('rating'),
  ask('choice', { options: ['One', 'Two'], other: 'Other' }),
  ask('text', { long: true }),
]
const widgets: [string, RenderedContent, string][] = [
  [
    'tooltip',
    flow([step('a', { buttons: [button('Back', { previous: true }), button('Next', { next: true })] }), step('b')]),
    '.tip',
  ],
  [
    'dialog',
    flow([step('d', { type: 'dialog', blocks: [heading('Every deadline'), text('On one line.')] })]),
    'dialog',
  ],
  ['questions', flow([step('q', { type: 'dialog', blocks: [heading('How likely?'), ...questions] })]), '.ask'],
  [
    'checklist',
    checklist([task('one', { text: [{ paragraph: [{ text: 'Why.' }] }], button: [{ text: 'Go' }] }), task('two')]),
    '.cl',
  ],
  ['banner', banner(), '.banner'],
  ['launcher', launcher(), '.launcher'],
]
const BODY = '<main><h1>Host</h1><button data-testid="a">A</button><br><button data-testid="help">Help</button></main>'

const modes = inject('isLong')
  ? ([
      ['light', 1440],
      ['dark', 1440],
      ['light', 375],
      ['dark', 375],
    ] as const)
  : ([
      ['light', 1440],
      ['dark', 375],
    ] as const)

it.each(widgets)('%s: axe finds nothing', async (_name, content, selector) => {
  for (const [mode, width] of modes) {
    await stage.show(content)
    await stage.page.setViewportSize({ width, height: 800 })
    const head = mode === 'dark' ? '<style>:root { color-scheme: dark; background: #111 }</style>' : ''
    const page = await stage.open(BODY, { head })
    await page.locator(`[data-usher-widget] ${selector}`).first().waitFor()
    await page.evaluate(axe)
    const found = await page.evaluate(
      `axe.run({ include: [['[data-usher-widget]']] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html, failureSummary }) => html + failureSummary)]))`,
    )
    expect([mode, width, found]).toEqual([mode, width, []])
    const isDark = await page.evaluate(`document.querySelector('[data-usher-widget]').dataset.mode`)
    expect(isDark).toBe(mode)
  }
})

it('on a phone a dialog is a sheet at the bottom with buttons of 44 px; on a large screen it is 432 px wide in the middle', async () => {
  await stage.show(widgets[1]?.[1] as RenderedContent)
  const page = await stage.open(BODY)
  const dialog = page.getByRole('dialog', { name: 'Every deadline' })
  await page.setViewportSize({ width: 375, height: 640 })
  await expect.poll(async () => await dialog.boundingBox()).toMatchObject({ x: 0, width: 375 })
  const sheet = (await dialog.boundingBox()) as { y: number; height: number }
  expect(Math.round(sheet.y + sheet.height)).toBe(640)
  expect((await page.getByRole('button', { name: 'Next' }).boundingBox())?.height).toBeGreaterThanOrEqual(44)
  expect(await styleOf('dialog', 'borderRadius')).toBe('18px 18px 0px 0px')
  // A target of 44 px, of which 34 are drawn.
  expect(await page.getByRole('button', { name: 'Close' }).boundingBox()).toMatchObject({ width: 44, height: 44 })
  expect([await styleOf('.x', 'backgroundClip'), await styleOf('.x', 'padding')]).toEqual(['content-box', '5px'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(432)
  expect(await styleOf('dialog', 'borderRadius')).toBe('12px')
  expect(await page.getByRole('button', { name: 'Close' }).boundingBox()).toMatchObject({ width: 30, height: 30 })
})

it('the progress of 30 steps stays beside the edge of a dialog and of a tooltip', async () => {
  const right = async (selector: string) => {
    const { x, width } = (await stage.page.locator(selector).last().boundingBox()) as { x: number; width: number }
    return x + width
  }
  for (const [type, place] of [
    ['dialog', 'dialog'],
    ['tooltip', '.tip'],
  ] as const) {
    const steps = Array.from({ length: 30 }, (_, index) => step(index === 0 ? 'a' : `s${index}`, { type }))
    await stage.show(flow(steps))
    const page = await stage.open(BODY)
    await page.locator(place).waitFor()
    expect(await right('.prog i')).toBeLessThan((await right(place)) - 10)
  }
})

it('the focus ring is 2 px of the accent, 2 px away, and changes the form of nothing', async () => {
  await stage.show(widgets[0]?.[1] as RenderedContent)
  const page = await stage.open(BODY)
  await page.locator('.tip').waitFor()
  await page.keyboard.press('F6')
  const ring = async (selector: string) =>
    await Promise.all(['outline', 'outlineOffset', 'borderRadius'].map((name) => styleOf(selector, name)))
  expect(await ring('.tip:focus')).toEqual(['rgb(11, 110, 98) solid 2px', '2px', '12px'])
  await page.keyboard.press('Tab')
  expect(await ring('.b:focus')).toEqual(['rgb(11, 110, 98) solid 2px', '2px', '8px'])
})

const styleOf = (selector: string, name: string) =>
  stage.page.evaluate(
    `getComputedStyle(document.querySelector('[data-usher-widget]').shadowRoot.querySelector('${selector}')).${name}`,
  )

it('a dialog with a question is in the corner and modal: it keeps the focus, the page behind is dimmed and inert; on a phone it is a sheet above the keyboard, which fingers that zoom leave where it is', async () => {
  const nps = flow([step('q', { type: 'dialog', blocks: [heading('How likely?'), ask('nps'), ask('text')] })])
  await stage.show(nps)
  const page = await (await stage.window()).newPage()
  onTestFinished(async () => await page.context().close())
  await page.addInitScript(KEYBOARD)
  await stage.open('<main><h1>Host</h1><button onclick="window.clicked = true">Click</button></main>', { page })
  const question = page.getByRole('dialog', { name: 'How likely?' })
  const edges = async () => {
    const box = (await question.boundingBox()) as { x: number; y: number; width: number; height: number }
    return [box.x + box.width, box.y + box.height, box.width].map(Math.round)
  }
  await question.waitFor()
  expect(await edges()).toEqual([1440 - 20, 900 - 20, 400])
  expect(await question.getAttribute('aria-modal')).toBe('true')
  const modal = `document.querySelector('[data-usher-widget]').shadowRoot.querySelector('dialog:modal')`
  expect(await page.evaluate(`getComputedStyle(${modal}, '::backdrop').backgroundColor`)).toBe('rgba(20, 26, 32, 0.34)')
  for (let count = 0; count < 6; count++) {
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BUTTON')
  }
  await page.evaluate('document.querySelector("main button").focus()')
  expect(await page.evaluate('document.activeElement.tagName')).not.toBe('BUTTON')
  await page.setViewportSize({ width: 375, height: 640 })
  await expect.poll(edges).toEqual([375, 640, 375])
  await page.evaluate('visualViewport.open(280)')
  await expect.poll(edges).toEqual([375, 640 - 280, 375])
  await page.evaluate('visualViewport.open(0, 2)')
  await expect.poll(edges).toEqual([375, 640, 375])
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
})

/** A keyboard on the screen makes the visual viewport smaller, and so do two fingers, and nothing else. */
const KEYBOARD = `
  const view = new EventTarget()
  let [covered, scale] = [0, 1]
  Object.defineProperties(view, {
    width: { get: () => innerWidth },
    height: { get: () => (innerHeight - covered) / scale },
    offsetTop: { value: 0 },
    offsetLeft: { value: 0 },
    scale: { get: () => scale },
    open: {
      value: (...given) => {
        ;[covered, scale = 1] = given
        view.dispatchEvent(new Event('resize'))
      },
    },
  })
  Object.defineProperty(window, 'visualViewport', { value: view })
`

it('a required question without an answer is marked, described and gets the focus; the arrow keys follow the direction of the page', async () => {
  const required = [
    ask('nps', { required: true }),
    ask('choice', { options: ['x', 'y'], required: true }),
    ask('text', { required: true }),
  ]
  await stage.show(
    flow([
      step('q', {
        type: 'dialog',
        blocks: [heading('How?'), ...required],
        buttons: [button('Send', { end: 'completed' })],
      }),
    ]),
  )
  await stage.page.setViewportSize({ width: 1440, height: 900 })
  const page = await stage.open(BODY, { head: '<script nonce="host">document.documentElement.dir = "rtl"</script>' })
  const scale = page.getByRole('radiogroup', { name: 'Ask nps' })
  await scale.waitFor()
  expect(await scale.getAttribute('aria-required')).toBe('true')
  await page.getByRole('button', { name: 'Send' }).click()
  expect(await page.getByRole('alert').count()).toBe(3)
  const marked = await page.evaluate(`(() => {
    const root = document.querySelector('[data-usher-widget]').shadowRoot
    const described = [...root.querySelectorAll('[aria-describedby$="-wrong"]')]
    return described.map((one) => [one.localName, one.ariaInvalid, root.getElementById(one.getAttribute('aria-describedby')).textContent])
  })()`)
  const words = 'Please answer this question.'
  expect(marked).toEqual([
    ['div', 'true', words],
    ['fieldset', null, words],
    ['input', 'true', words],
  ])
  // The first one that is not answered.
  await page.keyboard.press('ArrowLeft')
  expect(await page.getByRole('radio', { name: '1', exact: true }).getAttribute('aria-checked')).toBe('true')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: '2', exact: true }).getAttribute('aria-checked')).toBe('true')
  // What is answered is not complained of any more.
  expect(await page.getByRole('alert').count()).toBe(2)
  expect(await scale.getAttribute('aria-invalid')).toBeNull()
  await page.evaluate(axe)
  expect(
    await page.evaluate(
      `axe.run({ include: [['[data-usher-widget]']] }, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] }).then(({ violations }) => violations.map(({ id }) => id))`,
    ),
  ).toEqual([])
})

const places = () =>
  stage.page.evaluate(`(() => {
    const edges = (one) => { const { x, y, width, height } = one.getBoundingClientRect(); return [x, y, width, height].map(Math.round) }
    const root = document.querySelector('[data-usher-widget]').shadowRoot
    const [ring, tip] = ['.ring', '.tip'].map((one) => edges(root.querySelector(one)))
    const target = edges(document.querySelector('[data-testid=a]'))
    const { scrollHeight, clientHeight } = root.querySelector('.in')
    const below = tip[1] - target[1] - target[3]
    return { isAtTarget: ring.join() === target.join(), below, width: tip[2], isWhole: scrollHeight === clientHeight }
  })()`)

it.each([
  ['a page whose root is zoomed', 'html { zoom: 1.5 }'],
  ['a page whose body is zoomed', 'body { zoom: 0.8 }'],
  ['a page whose body is scaled', 'body { transform: scale(0.8) }'],
  ['a small modal dialog with a transform', 'dialog { width: 200px; height: 120px; transform: translateX(10px) }'],
])('in %s a tooltip is at its target, and its text is not cut off', async (_name, css) => {
  await stage.show(
    flow([step('a', { blocks: [heading('Step a'), ...Array(2).fill(text('Many words. '.repeat(20)))] })]),
  )
  const page = await stage.open('<button data-testid="a" style="margin: 90px 200px">A</button><dialog></dialog>', {
    head: `<style>${css}</style>`,
  })
  if (css.startsWith('dialog'))
    await page.evaluate(`(() => {
      const dialog = document.querySelector('dialog')
      dialog.append(document.querySelector('button'))
      document.querySelector('button').style.margin = 0
      dialog.showModal()
    })()`)
  await expect.poll(places).toEqual({ isAtTarget: true, below: 15, width: 316, isWhole: true })
})

it('how far a checklist is reads in its order also on a page from right to left, open and collapsed', async () => {
  await stage.show(checklist([task('one'), task('two', { completed: true })]))
  const page = await stage.open(`<script nonce="host">document.documentElement.dir = 'rtl'</script>${BODY}`)
  /** Of each word, how far its first letter is from the left edge of the screen. */
  const places = async (words: string) => {
    await page.getByText(words, { exact: true }).waitFor()
    return (await page.evaluate(`(() => {
      const { shadowRoot } = document.querySelector('[data-usher-widget]')
      const walker = document.createTreeWalker(shadowRoot, NodeFilter.SHOW_TEXT)
      while (walker.nextNode().data !== '${words}') continue
      const range = document.createRange()
      return [...walker.currentNode.data.matchAll(/\\w+/g)].map(({ index }) => {
        range.setStart(walker.currentNode, index)
        range.setEnd(walker.currentNode, index + 1)
        return range.getBoundingClientRect().left
      })
    })()`)) as number[]
  }
  const inOrder = (numbers: number[]) => [...numbers].sort((one, other) => one - other)
  const open = await places('1 of 2 done')
  expect(open).toEqual(inOrder(open))
  await page.getByRole('button', { name: 'Collapse' }).click()
  const collapsed = await places('1 of 2')
  expect(collapsed).toEqual(inOrder(collapsed))
})

it('is above an element that begins to cover the screen with its target in it, and stays below another one', async () => {
  await stage.show(flow([step('a')]))
  const page = await stage.open(
    '<main style="background: #eee"><button data-testid="a">A</button></main><aside style="background: #eee">B</aside>',
  )
  await page.locator('.tip').waitFor()
  const isAbove = () =>
    page.evaluate(`(() => {
      const host = document.querySelector('[data-usher-widget]')
      const { x, y } = host.shadowRoot.querySelector('.tip').getBoundingClientRect()
      return document.elementFromPoint(x + 40, y + 40) === host
    })()`)
  const cover = async (name: string) => {
    await page.evaluate(`document.querySelector('${name}').requestFullscreen()`)
    await page.evaluate(`document.body.append('changed'); new Promise((done) => setTimeout(done, 300))`)
  }
  await cover('main')
  await expect.poll(isAbove).toBe(true)
  await page.evaluate('document.exitFullscreen()')
  await cover('aside')
  expect(await isAbove()).toBe(false)
  await page.evaluate('document.exitFullscreen()')
})

it('is not printed', async () => {
  await stage.show({ ...(widgets[0]?.[1] as RenderedContent), id: 'f' }, { ...banner(), id: 'b' })
  const page = await stage.open(BODY)
  const drawn = [page.locator('.tip'), page.getByRole('region', { name: 'Announcement' })]
  for (const one of drawn) await one.waitFor()
  await page.emulateMedia({ media: 'print' })
  for (const one of drawn) await one.waitFor({ state: 'hidden' })
  await page.emulateMedia({ media: null })
  for (const one of drawn) await one.waitFor()
})

it('with less motion nothing pulses or slides; with forced colours edges appear', async () => {
  await stage.show({ ...launcher(), id: 'l' }, { ...(widgets[0]?.[1] as RenderedContent), id: 'f' })
  const page = await stage.open(BODY)
  await page.locator('.tip').waitFor()
  await page.locator('.launcher').waitFor()
  const animated = () =>
    page.evaluate(
      `[...document.querySelectorAll('[data-usher-widget]')].flatMap((host) => host.shadowRoot.getAnimations()).length`,
    )
  expect(await animated()).toBe(0)
  await page.emulateMedia({ forcedColors: 'active' })
  const border = await page.evaluate(
    `[...document.querySelectorAll('[data-usher-widget]')].map((host) => host.shadowRoot.querySelector('.tip')).filter(Boolean).map((tip) => getComputedStyle(tip).borderTopWidth)`,
  )
  expect(border).toEqual(['1px'])
  await page.emulateMedia({ forcedColors: 'none' })
})
