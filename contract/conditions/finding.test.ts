import { expect, it } from 'vitest'
import type { Leaf, Outcome } from './condition.ts'
import { type Found, findingOf } from './finding.ts'

it.each<[Leaf, Outcome, Found, string]>([
  [{ attribute: 'seats', is: 'at_least', value: 5 }, false, { value: 3 }, 'seats is 3, at least 5 are needed'],
  [{ attribute: 'seats', is: 'at_least', value: 5 }, true, { value: 7 }, 'seats is 7'],
  [
    { attribute: 'seats', of: 'group', is: 'at_least', value: 5 },
    false,
    { value: null },
    "the group's seats is missing, at least 5 are needed",
  ],
  [
    { attribute: 'plan', is: 'equals', value: 'growth' },
    false,
    { value: 3 },
    'plan is the number 3, the condition compares text',
  ],
  [{ attribute: 'plan', is: 'one_of', values: ['a', 'b'] }, false, { value: 'c' }, 'plan is "c", "a" or "b" is needed'],
  [
    { attribute: 'seats', is: 'less', value: 3 },
    false,
    { value: '2' },
    'seats is the text "2", the condition compares numbers',
  ],
  [{ attribute: 'plan', is: 'exists' }, false, { value: null }, 'plan is missing, a value is needed'],
  [
    { attribute: 'plan', is: 'contains', value: 'x' },
    false,
    { value: 'y' },
    'plan is "y", what contains "x" is needed',
  ],
  [
    { event: 'done', at_least: 3, within: '7d' },
    false,
    { value: 1 },
    'done happened once in the last 7 days, at least 3 times are needed',
  ],
  [{ event: 'done', at_most: 0 }, false, { value: 1 }, 'done happened once or more often, never is needed'],
  [{ event: 'done', at_least: 3 }, true, { value: 3 }, 'done happened 3 times or more often'],
  [{ event: 'done' }, false, { value: 0 }, 'done never happened, at least once is needed'],
  [{ event: 'done' }, true, { value: 1 }, 'done happened once or more often'],
  [
    { event: 'done', at_least: 2, where: [{ attribute: 'pages', is: 'more', value: 6 }] },
    null,
    { value: null, remark: 'there are too many events to look at all' },
    'done may have happened, where pages is more than 6 (there are too many events to look at all), which is not known',
  ],
  [{ segment: 'staff', is: 'in' }, null, { value: null }, 'in the segment Staff or not, which is not known'],
  [{ segment: 'staff', is: 'not_in' }, false, { value: true }, 'in the segment Staff, not being in it is needed'],
  [{ content: 'welcome', is: 'completed' }, false, { value: 'seen' }, 'welcome is seen, completed is needed'],
])('%j with %j and %j is told in one sentence', (leaf, met, found, sentence) => {
  expect(findingOf(leaf, '', met, found, { segments: new Map([['staff', 'Staff']]) }).sentence).toBe(sentence)
})

it.each<[Leaf, Outcome, Found, string]>([
  [{ event: 'done' }, true, { value: 1 }, 'done happened once or more often, never is needed'],
  [{ event: 'done' }, false, { value: 0 }, 'done never happened'],
  [{ segment: 'staff', is: 'in' }, true, { value: true }, 'in the segment staff, not being in it is needed'],
  [{ attribute: 'plan', is: 'equals', value: 'a' }, true, { value: 'a' }, 'plan is "a", not "a" is needed'],
  [{ attribute: 'seats', is: 'less', value: 5 }, true, { value: 3 }, 'seats is 3, not less than 5 are needed'],
])('%j within not is told as what the condition needs', (leaf, outcome, found, sentence) => {
  const finding = findingOf(leaf, '', outcome, found, {}, true)
  expect([finding.sentence, finding.met]).toEqual([sentence, !outcome])
})

it('a long text is cut, in the value and in the sentence, and no character is cut in half', () => {
  const leaf: Leaf = { attribute: 'about', is: 'exists' }
  const start = 'a'.repeat(199)
  const found = (value: string) => findingOf(leaf, '', true, { value })
  expect(found(`${start}b`)).toMatchObject({ value: `${start}b`, sentence: `about is "${start}b"` })
  expect(found(`${start}bc`)).toMatchObject({ value: `${start}b…`, sentence: `about is "${start}b…"` })
  expect(found(`${start}😀`)).toMatchObject({ value: `${start}…`, sentence: `about is "${start}…"` })
  expect(found('é'.repeat(8_192)).value).toHaveLength(201)
})
