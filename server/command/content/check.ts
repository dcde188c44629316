import { command } from '../command.ts'
import { alignColumns } from '../text-table.ts'
import { checkPage, countInPage } from './page-counts.ts'
import { placeOptions, withPlace } from './place.ts'
import { type FoundTarget, foundIn, targetsOf } from './targets.ts'

export const contentCheck = command({
  summary:
    'Open a page in Chromium and say which locators of published content find their element; ends with 1 when a step finds none',
  parameters: ['PAGE'],
  options: {
    ...placeOptions,
    chromium: {
      type: 'string',
      value: 'PROGRAM',
      description: 'the program of Chromium or Chrome; the installed Chrome unless given',
    },
  },
  async run({ config, parameters: [page], options }) {
    checkPage(page)
    const stored = await withPlace(config, options, (place) => place.read())
    const targets = stored.flatMap(({ published }) => (published ? targetsOf(published) : []))
    if (targets.length === 0) return { text: 'No published content has a target.', json: { page, steps: [] } }
    const locators = [...new Set(targets.flatMap((target) => target.locators))]
    const isEnough = (counts: ReadonlyMap<string, number>) =>
      targets.every((one) => foundIn(one, counts).found !== null)
    const counts = await countInPage(page, options.chromium, locators, isEnough)
    const steps = targets.map((target) => foundIn(target, counts))
    return {
      text: alignColumns(steps.map(rowOf)),
      json: { page, steps },
      failed: steps.some(({ found }) => found === null),
    }
  },
})

function rowOf({ content, step, found, locators }: FoundTarget): string[] {
  const result = found === null ? '✗ none finds exactly one' : `✓ ${found}`
  return [content, step ?? '–', result, locators.map(({ locator, matches }) => `${matches} ${locator}`).join(', ')]
}
