import { expect, it } from 'vitest'
import { starters } from '../../contract/content/starters.ts'
import { headVerdict } from './head-verdict.ts'
import type { ContentDetail } from './queries.ts'

const document = starters[0]?.document as ContentDetail['draft']['document']
const draft = { document, problems: [], state: 'published' as const }
const published = (isOff: boolean, rest: object = {}) =>
  ({
    type: 'flow',
    missed: null,
    seen: 0,
    completed: 0,
    ...rest,
    ...live,
    guidance: { is_off: isOff },
  }) as ContentDetail
const live = { published: { number: 4, document } }

it('what is published is live, except while the guidance of the environment is off', () => {
  expect(headVerdict(published(false), draft).words).toBe('Version 4 is live. Nobody has seen it yet.')
  expect(headVerdict(published(true), draft)).toEqual({
    level: 'info',
    words: 'Guidance is off: nobody sees version 4. Nobody has seen it yet.',
    to: 'results',
  })
  for (const detail of [published(true, { seen: 40 }), published(true, { missed: { since: null, tries: 20 } })])
    expect(headVerdict(detail, { ...draft, state: 'changed' }).words).not.toContain('is live')
})
