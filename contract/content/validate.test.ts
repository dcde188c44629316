import { expect, it } from 'vitest'
import { exampleBanner, exampleChecklist, exampleFlow, exampleLauncher } from './examples.ts'
import { defaultTheme } from './theme.ts'
import { documentProblems, themeProblems } from './validate.ts'

const problemsOf = (value: unknown) => documentProblems(value).map(({ path, message }) => `${path}: ${message}`)

/** The flow with something changed at a path such as `steps.0.blocks`. */
function changed(path: string, value: unknown, document: object = exampleFlow): object {
  const copy = structuredClone(document) as Record<string, unknown>
  const steps = path.split('.')
  const last = steps.pop() as string
  const parent = steps.reduce((at, step) => at[step] as Record<string, unknown>, copy)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

it('accepts one document of each kind, and the default theme', () => {
  for (const document of [exampleFlow, exampleChecklist, exampleBanner, exampleLauncher])
    expect(problemsOf(document)).toEqual([])
  expect(themeProblems(defaultTheme)).toEqual([])
})

it('names every field that a document of any kind must have, also when its kind is missing or unknown', () => {
  const kinds = 'one of flow, checklist, banner, launcher'
  expect(problemsOf({})).toEqual([`type: is required: ${kinds}`, 'key: is required', 'name: is required'])
  expect(problemsOf({ type: 'tour', key: 'First Report' })).toEqual([
    `type: must be ${kinds}`,
    'name: is required',
    expect.stringContaining('key: must be 1 to 64 characters'),
  ])
  expect(problemsOf(changed('steps.0', { type: 'modal' }))).toEqual([
    'steps[0].type: must be one of tooltip, dialog, hidden',
    'steps[0].key: is required',
  ])
})

it.each([
  ['key', 'First Report', 'key: must be 1 to 64 characters out of a-z, 0-9, dash and underscore'],
  ['type', 'tour', 'type: must be one of flow, checklist, banner, launcher'],
  ['type', undefined, 'type: is required: one of flow, checklist, banner, launcher'],
  ['name', '', 'name: must not be empty'],
  ['name', 5, 'name: must be a text'],
  ['steps.0.blocks.0.heading', 'a\u0001', 'heading: must be a text without control characters and lone surrogates'],
  [
    'steps.1.blocks.1',
    { question: 'q', kind: 'choice', label: 'x', options: ['a'], other: true },
    'other: must be a text',
  ],
  ['steps', [], 'steps: must have at least 1 item'],
  ['tasks', [], 'tasks: is not a known field; it may be one of $schema, key, type'],
  ['steps.0.type', 'modal', 'steps[0].type: must be one of tooltip, dialog, hidden'],
  ['steps.0.target', undefined, 'steps[0].target: is required'],
  ['steps.0.target.locators', ['export'], 'steps[0].target.locators[0]: must begin with testid='],
  ['steps.0.target.locators', ['role=button[name="x]'], 'steps[0].target.locators[0]: must be written as role='],
  ['steps.0.target.locators', ['css=a[b'], 'steps[0].target.locators[0]: has brackets or quotes'],
  ['steps.0.blocks.0', { titel: 'x' }, 'steps[0].blocks[0]: must have one of the fields heading, text'],
  ['steps.0.blocks.0', { heading: 'x', text: 'y' }, 'steps[0].blocks[0].text: is not a known field'],
  ['steps.0.blocks.0', { image: 'http://x.com/a.png', alt: '' }, 'steps[0].blocks[0].image: must be an https address'],
  [
    'steps.0.blocks.0',
    { image: 'https://x.com/{{ user.id }}.png', alt: '' },
    'steps[0].blocks[0].image: must not have a template: a picture is the same for everybody',
  ],
  ['steps.0.blocks.0', { image: 'https://x.com/a.png' }, 'steps[0].blocks[0].alt: is required'],
  ['steps.0.blocks.0', { video: 'https://evil.com/v', title: 'x' }, 'steps[0].blocks[0].video: must be the https'],
  ['steps.0.blocks.1.text', '{{ user.x', 'steps[0].blocks[1].text: `{{ user.x` is not a template'],
  ['steps.0.blocks.1.text', '[a](javascript:alert)', 'the link to `javascript:alert`: must be an address with http'],
  ['steps.0.blocks', Array(9).fill({ divider: true }), 'steps[0].blocks: must have at most 8 items'],
  [
    'steps.0.buttons.0.do.0',
    { set: 'a', value: { set: 1, data_type: 'text' } },
    'value.data_type: must be one of string',
  ],
  ['steps.0.buttons.0.do.0', { set: 'a', value: 'a\0' }, 'do[0].value: must not contain a NUL character'],
  ['steps.0.buttons.0.do.0', { next: false }, 'steps[0].buttons[0].do[0].next: must be true'],
  ['steps.0.buttons.0.do.0', { eval: 'x' }, 'steps[0].buttons[0].do[0]: must have one of the fields next, previous'],
  ['steps.0.buttons.0.do.0', { open: '//evil.com' }, 'steps[0].buttons[0].do[0].open: must be an address with'],
  ['steps.0.buttons.0.do.0', { open: 'https://{{ user.x }}/' }, 'a template may stand only after the host'],
  ['steps.0.buttons.0.do.0', { open: '{{ user.x }}' }, 'a template may stand only after the host'],
  ['steps.0.buttons.0.do.0', { open: 'java\tscript:x' }, 'must not contain spaces, backslashes or control characters'],
  ['steps.0.buttons.0.do.0', { set: 'a', value: { add: 'x' } }, 'do[0].value.add: must be a number'],
  [
    'steps.0.advance.0',
    { on: 'hover' },
    'steps[0].advance[0].on: must be one of target_click, target_input, condition',
  ],
  ['steps.1.key', 'where-it-is', 'steps[1].key: is `where-it-is`, and another one has this key already'],
  ['steps.1.blocks.1', { question: 'q', kind: 'choice', label: 'x' }, 'blocks[1].options: is required: a choice needs'],
  ['steps.1.blocks.1.long', true, 'steps[1].blocks[1].long: is only for questions of the kind text'],
  ['when.frequency', 'sometimes', 'when.frequency: must be once, until_completed, always, or { "every": "7d" }'],
  [
    'when.frequency',
    { every: '100000w' },
    'when.frequency.every: must be a whole number with s, m, h, d or w behind it, such as 90s, 10m, 12h, 7d or 4w; at most 999999, or 99999w',
  ],
  ['when.frequency', { every: 'week' }, 'when.frequency.every: must be a whole number with s, m, h, d or w behind it'],
  ['when.priority', 101, 'when.priority: must be a whole number from 0 to 100'],
  ['who.all.1', { url: '/x' }, 'who.all[1].url: is decided in the page'],
  ['where', { all: [] }, 'where.all: must not be empty'],
])('names the field and the remedy of %s %j', (path, value, expected) => {
  expect(problemsOf(changed(path, value)).join('; ')).toContain(expected)
})

it('names every problem at once', () => {
  const broken = changed('steps.1.type', 'x', changed('name', 1, changed('when.wait', 'soon')))
  expect(problemsOf(broken)).toHaveLength(3)
})

it('refuses a document over 64 KiB', () => {
  const blocks = Array.from({ length: 8 }, () => ({ text: 'x'.repeat(4_000) }))
  const steps = [0, 1, 2].map((n) => ({ key: `s${n}`, type: 'dialog', blocks }))
  expect(problemsOf(changed('steps', steps))[0]).toContain('it may have 65536')
})
