import { expect, it } from 'vitest'
import { questionOf } from './search-content.ts'

it.each([
  ['why does Ada not see Welcome tour?', { user: 'Ada', content: 'Welcome tour' }],
  ["why doesn't Ada Okafor see welcome", { user: 'Ada Okafor', content: 'welcome' }],
  ['why did ada see Welcome', { user: 'ada', content: 'Welcome' }],
  ['Why u_48213 sees timeline', { user: 'u_48213', content: 'timeline' }],
  ['why ada@kestrel.example', { user: 'ada@kestrel.example', content: '' }],
  ['why does Ada not see', { user: 'Ada', content: '' }],
  ['why', undefined],
  ['whysper', undefined],
  ['Why requests were rejected', { user: 'requests were rejected', content: '' }],
] as const)('%s', (text, question) => {
  expect(questionOf(text)).toEqual(question)
})
