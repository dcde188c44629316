import { expect, it } from 'vitest'
import type { Step } from '../../contract/content/document.ts'
import { draftProblems } from '../../contract/content/draft.ts'
import { exampleBanner, exampleFlow } from '../../contract/content/examples.ts'
import { publishingProblems } from '../../contract/content/publishing.ts'
import { asKind, copyOfStep, newButton, newStep, withoutStep, withStep, withStepMoved } from './step-edits.ts'

it.each(['tooltip', 'dialog', 'hidden'] as const)('a new %s can be kept as a draft, with a key of its own', (type) => {
  const flow = withStep(exampleFlow, 0, newStep(exampleFlow, type))
  expect(draftProblems(flow)).toEqual([])
  expect(new Set(flow.steps.map(({ key }) => key)).size).toBe(3)
  expect(flow.steps[1]?.type).toBe(type)
})

it('a copy of a step has another key, and asks another question', () => {
  const thanks = exampleFlow.steps[1] as Step
  const copy = copyOfStep(exampleFlow, thanks)
  const flow = withStep(exampleFlow, 1, copy)
  expect(flow.steps.map(({ key }) => key)).toEqual(['where-it-is', 'thanks', 'thanks-copy'])
  expect(JSON.stringify(copy)).toContain('"question":"ease-copy"')
  expect(draftProblems(flow)).toEqual([])
})

it('moving beyond an end changes nothing, and removing leaves the rest', () => {
  expect(withStepMoved(exampleFlow, 0, -1)).toBe(exampleFlow)
  expect(withStepMoved(exampleFlow, 0, 1).steps.map(({ key }) => key)).toEqual(['thanks', 'where-it-is'])
  expect(withoutStep(exampleFlow, 0).steps.map(({ key }) => key)).toEqual(['thanks'])
})

it('a step of another kind keeps its texts and its key', () => {
  const tooltip = exampleFlow.steps[0] as Step
  const dialog = asKind(exampleFlow, tooltip, 'dialog')
  expect(dialog).toMatchObject({ key: 'where-it-is', type: 'dialog', blocks: (tooltip as { blocks: unknown }).blocks })
  expect(draftProblems({ ...exampleFlow, steps: [asKind(exampleFlow, dialog, 'hidden')] })).toEqual([])
})

it('a new button of a banner keeps it from nothing: it completes it', () => {
  const known = { segments: new Map(), content: new Set<string>(), themes: new Map(), attributes: new Map() }
  const banner = { ...exampleBanner, buttons: [newButton(exampleBanner)] }
  expect(publishingProblems(banner, known)).toEqual([])
  expect(newButton(exampleFlow).do).toEqual([{ next: true }])
})
