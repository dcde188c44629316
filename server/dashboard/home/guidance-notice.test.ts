import { expect, it } from 'vitest'
import { type GuidanceInput, guidanceNotice } from './guidance-notice.ts'

const well: GuidanceInput = { identity: 'report', unproven: 40, missed: [], unmatched: [] }
const tour = { id: 'tour', name: 'Tour' }

it.each([
  [null, {}],
  ['unsigned', { identity: 'required' }],
  [null, { identity: 'required', unproven: 0 }],
  ['target_missing', { missed: [{ ...tour, step: 4, missed: 20, tries: 100 }] }],
  ['nobody_matches', { unmatched: [tour] }],
] as const)('is %s', (kind, input) => {
  expect(guidanceNotice({ ...well, ...input } as GuidanceInput)?.kind ?? null).toBe(kind)
})

it('names the content and the step whose element is missing for the largest share', () => {
  const missed = [
    { id: 'other', name: 'Other', step: 4, missed: 9, tries: 10 },
    { ...tour, step: 1, missed: 500, tries: 1_500 },
  ]
  expect(guidanceNotice({ ...well, missed })).toMatchObject({ content_id: 'other', step: 4, share: 0.9, count: 9 })
})
