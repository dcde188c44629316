import { expect, it } from 'vitest'
import { type GuidanceInput, guidanceNotice } from './guidance-notice.ts'

const well: GuidanceInput = { identity: 'report', unproven: 40, missing: [], unmatched: [] }
const tour = { id: 'tour', name: 'Tour' }

it.each([
  [null, {}],
  ['unsigned', { identity: 'required' }],
  [null, { identity: 'required', unproven: 0 }],
  ['target_missing', { missing: [{ ...tour, missed: 20, seen: 80 }] }],
  [null, { missing: [{ ...tour, missed: 19, seen: 80 }] }],
  [null, { missing: [{ ...tour, missed: 4, seen: 0 }] }],
  ['nobody_matches', { unmatched: [tour] }],
] as const)('is %s', (kind, input) => {
  expect(guidanceNotice({ ...well, ...input } as GuidanceInput)?.kind ?? null).toBe(kind)
})

it('names the content whose element is missing for the largest share', () => {
  const missing = [
    { ...tour, missed: 500, seen: 1_000 },
    { id: 'other', name: 'Other', missed: 9, seen: 1 },
  ]
  expect(guidanceNotice({ ...well, missing })).toMatchObject({ content_id: 'other', share: 0.9, count: 9 })
})
