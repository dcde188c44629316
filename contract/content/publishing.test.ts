import { expect, it } from 'vitest'
import type { Condition } from '../conditions/condition.ts'
import { limits } from '../limits.ts'
import type { Block, When } from './document.ts'
import { exampleBanner, exampleFlow, exampleLauncher } from './examples.ts'
import { publishingProblems, publishingWarnings, type Surroundings } from './publishing.ts'

const leaf: Condition = { attribute: 'plan', is: 'exists' }
const many: Condition = { all: Array.from({ length: limits.conditionLeaves }, () => leaf) }
const known: Surroundings = {
  segments: new Map([['many', many]]),
  content: new Set(),
  themes: new Map(),
  attributes: new Map(),
}

it('a condition has at most as many leaves as a segment may have, with those of the segments that it names', () => {
  const most = limits.expandedLeaves / limits.conditionLeaves
  const problems = (all: Condition[]) => publishingProblems({ ...exampleFlow, who: { all } }, known)
  const segments: Condition[] = Array.from({ length: most }, () => ({ segment: 'many', is: 'in' }))
  const messageOf = (all: Condition[]) => problems(all).filter(({ path }) => path === 'who')
  expect(messageOf(segments)).toEqual([])
  expect(messageOf([...segments, leaf])).toEqual([
    { path: 'who', message: 'has 1001 leaves with those of its segments; at most 1000 are allowed' },
  ])
})

it('what has no steps does not lead through steps', () => {
  const banner = { ...exampleBanner, buttons: [{ label: 'On', do: [{ track: 'read' }, { go_to: 'thanks' }] }] }
  const message = 'a banner has no steps: use another action, such as end'
  expect(publishingProblems(banner, known)).toEqual([{ path: 'buttons[0].do[1].go_to', message }])
  const launcher = { ...exampleLauncher, do: [{ next: true as const }, { previous: true as const }] }
  expect(publishingProblems(launcher, known).map(({ path }) => path)).toEqual(['do[0].next', 'do[1].previous'])
  expect(publishingProblems({ ...exampleLauncher, do: [{ end: 'completed' }] }, known)).toEqual([])
})

it('warns of a question in a banner, which pages leave out', () => {
  const question = { question: 'ease', kind: 'nps' as const, label: 'How easy?' }
  const banner = { ...exampleBanner, blocks: [...exampleBanner.blocks, question] }
  const path = `blocks[${exampleBanner.blocks.length}].question`
  const message = 'the script shows no questions in a banner: ask in a flow'
  expect(publishingWarnings(banner, known)).toContainEqual({ path, message })
  expect(publishingWarnings(exampleBanner, known).map((warning) => warning.message)).not.toContain(message)
})

it('warns of a template in a field that is not filled', () => {
  const warned = (block: Block) =>
    publishingWarnings({ ...exampleBanner, blocks: [block], buttons: [] }, known).filter(({ message }) =>
      message.startsWith('a template is filled in texts, labels and addresses only'),
    )
  const name = '{{ user.name | you }}'
  const picture = { image: 'https://example.com/a.png', alt: `A chart for ${name}` }
  expect(warned(picture).map(({ path }) => path)).toEqual(['blocks[0]'])
  const choice = { question: 'who', kind: 'choice' as const, label: 'Who?', options: [name, 'Somebody else'] }
  expect(warned(choice)).toHaveLength(1)
  expect(warned({ ...choice, label: name, options: ['{{ braces }}'] })).toEqual([])
  expect(warned({ text: name })).toEqual([])
  const tracked = { ...exampleLauncher, do: [{ track: 'read', attributes: { by: name } }] }
  expect(publishingWarnings(tracked, known).map(({ path }) => path)).toEqual(['do[0]'])
})

it('warns of a number of starts that does not count, as it is shown once', () => {
  const warned = (when: When) => publishingWarnings({ ...exampleFlow, when }, known).map(({ path }) => path)
  expect(warned({ at_most: 3 })).toContain('when.at_most')
  expect(warned({ frequency: 'once', at_most: 3 })).toContain('when.at_most')
  expect(warned({ frequency: 'until_completed', at_most: 3 })).not.toContain('when.at_most')
  expect(warned({ frequency: 'once' })).not.toContain('when.at_most')
})
