import { expect, it } from 'vitest'
import type { ContentDocument } from '../../contract/content/document.ts'
import type { Report } from '../../contract/sdk/protocol.ts'
import { shapeOf } from './shape.ts'
import { triedTargets } from './tried-targets.ts'

const version = { contentId: 'c', contentName: 'Help', versionId: 'v', versionNumber: 1 }
const target = { locators: ['testid=help', 'text=Help'] }
const launcher = { key: 'help', type: 'launcher', name: 'Help', target, label: 'Help', do: [] } as ContentDocument
const banner = { key: 'news', type: 'banner', name: 'News', blocks: [] } as ContentDocument
const shown = (locator?: string) => ({ sequence: 1, type: 'shown', ...(locator ? { locator } : {}) }) as Report
const missing: Report = { sequence: 1, type: 'target_missing', step: 'launcher', matches: 0 }

it('counts which locator of a launcher found its element, and that none did', () => {
  const of = (report: Report) => triedTargets([report], shapeOf(version, launcher))
  expect(of(shown('text=Help'))).toEqual(['v launcher 1'])
  expect(of(missing)).toEqual(['v launcher missing'])
  // Of an older script, and of a page that sends any text.
  expect([...of(shown()), ...of(shown('css=body'))]).toEqual([])
})

it('counts nothing of content without a target', () => {
  expect(triedTargets([shown('text=Help'), missing], shapeOf(version, banner))).toEqual([])
})
