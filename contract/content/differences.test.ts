import { expect, it } from 'vitest'
import type { Names } from '../conditions/sentence.ts'
import { differencesOf, differenceTexts } from './differences.ts'
import type { Block, FlowDocument, Step } from './document.ts'

const flow = (blocks: Block[], more: object = {}): FlowDocument => ({
  ...{ key: 'tour', type: 'flow', name: 'Tour' },
  steps: [{ key: 'open', type: 'dialog', blocks, buttons: [{ label: 'Next', do: [{ next: true }] }], ...more } as Step],
})
const said = (before: FlowDocument, after: FlowDocument) => differenceTexts(before, after)

it('names the block that has changed, with its text before and after', () => {
  const before = flow([{ heading: 'Open it' }, { text: 'Every task is on it.' }])
  const after = flow([{ heading: 'Open it' }, { text: 'Every task with a date is on it.' }])
  expect(said(before, after)).toEqual([
    '~ step open, text: "Every task is on it." → "Every task with a date is on it."',
  ])
})

it('names what is new and what is gone, and nothing else', () => {
  const isNew = (names?: Names) => differencesOf(undefined, flow([]), names).map(({ words }) => words)
  expect([...isNew(), ...isNew({ content: new Map([['tour', 'The tour']]) })]).toEqual([
    'tour is new',
    '“The tour” is new',
  ])
  const [heading, question] = [{ heading: 'A' }, { question: 'ease', kind: 'nps', label: 'How easy?' }] as Block[]
  const added = said(flow([heading as Block]), flow([heading as Block, question as Block]))
  expect(added).toEqual(['+ step open, question ease: question "ease", kind "nps", label "How easy?"'])
  expect(said(flow([{ text: 'x' }, heading as Block]), flow([heading as Block]))).toEqual(['- step open, text: "x"'])
  const relabelled = { buttons: [{ label: 'Go on', do: [{ next: true }] }] }
  expect(said(flow([]), flow([], relabelled))).toEqual(['~ step open, button "Next", label: "Next" → "Go on"'])
})

it('two long texts that begin alike are shown from where they differ', () => {
  const long = 'word '.repeat(40)
  const [text] = said(flow([{ text: `${long}ends here` }]), flow([{ text: `${long}goes on` }]))
  expect(text).toMatch(/…\S* ?(word )+ends here" → "?…\S* ?(word )+goes on"$/)
})

it('speaks of elements, ways and actions in words, without the braces of the document', () => {
  const attached = (locators: string[], more: object) => flow([], { type: 'tooltip', target: { locators, ...more } })
  expect(
    said(attached(['testid=a', 'text=A'], { placement: 'right' }), attached(['css=.a'], { placement: 'auto' })),
  ).toEqual([
    '~ step open, element: "testid=a" → "css=.a"',
    '- step open, element: "text=A"',
    '~ step open, element, placement: "right" → "auto"',
  ])
  const condition = (value: number) => ({ attribute: 'seats', is: 'at_least', value })
  const ways = (to: string, seats: number) =>
    flow([], {
      wait_until: condition(seats),
      advance: [
        { on: 'condition', condition: condition(seats), to: 'b' },
        { on: 'otherwise', to },
      ],
    })
  expect(said(ways('b', 3), ways('c', 5))).toEqual([
    '~ step open, waits until: seats is at least 3 → seats is at least 5',
    '~ step open, way condition, condition: seats is at least 3 → seats is at least 5',
    '~ step open, way otherwise, to: "b" → "c"',
  ])
  const buttons = (...actions: object[]) => flow([], { buttons: [{ label: 'Next', do: actions }] })
  expect(said(buttons({ next: true }), buttons({ go_to: 'end' }, { track: 'seen' }))).toEqual([
    '~ step open, button "Next", action: next → go_to "end"',
    '+ step open, button "Next", action track: "seen"',
  ])
})

it('conditions call content and segments by the names that are given, by their keys without', () => {
  const before: FlowDocument = { ...flow([]), who: { content: 'welcome', is: 'seen' } }
  const after: FlowDocument = { ...flow([]), who: { segment: 'staff', is: 'in' } }
  const names = { content: new Map([['welcome', 'Welcome tour']]), segments: new Map([['staff', 'Our staff']]) }
  expect(differencesOf(before, after, names)).toEqual([
    {
      sign: '~',
      place: 'who',
      words: '“Welcome tour” was seen → in the segment Our staff',
      pair: { before: '“Welcome tour” was seen', after: 'in the segment Our staff' },
    },
  ])
  expect(said(before, after)).toEqual(['~ who: welcome was seen → in the segment staff'])
})

it('tells what was from what is, also of texts that have arrows', () => {
  const named = (name: string) => ({ ...flow([]), name })
  expect(differencesOf(named('Settings → Billing'), named('Settings → Plan'))).toEqual([
    {
      sign: '~',
      place: 'name',
      words: '"Settings → Billing" → "Settings → Plan"',
      pair: { before: '"Settings → Billing"', after: '"Settings → Plan"' },
    },
  ])
  const [added] = differencesOf(flow([]), { ...flow([]), theme: 'a → b' })
  expect(added).toMatchObject({ sign: '+', pair: null })
})
