import { expect, it } from 'vitest'
import { differenceTexts } from './differences.ts'
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
    '~ step open.blocks text: "Every task is on it." → "Every task with a date is on it."',
  ])
})

it('names what is new and what is gone, and nothing else', () => {
  const [heading, question] = [{ heading: 'A' }, { question: 'ease', kind: 'nps', label: 'How easy?' }] as Block[]
  const added = said(flow([heading as Block]), flow([heading as Block, question as Block]))
  expect(added).toEqual(['+ step open.blocks question ease: {"question":"ease","kind":"nps","label":"How easy?"}'])
  expect(said(flow([{ text: 'x' }, heading as Block]), flow([heading as Block]))).toEqual([
    '- step open.blocks text: "x"',
  ])
  const relabelled = { buttons: [{ label: 'Go on', do: [{ next: true }] }] }
  expect(said(flow([]), flow([], relabelled))).toEqual([
    '~ step open.buttons: {"label":"Next","do":[{"next":true}]} → {"label":"Go on","do":[{"next":true}]}',
  ])
})

it('two long texts that begin alike are shown from where they differ', () => {
  const long = 'word '.repeat(40)
  const [text] = said(flow([{ text: `${long}ends here` }]), flow([{ text: `${long}goes on` }]))
  expect(text).toMatch(/…\S* ?(word )+ends here" → "?…\S* ?(word )+goes on"$/)
})
