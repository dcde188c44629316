import { expect, it } from 'vitest'
import { judgeBacklog } from '../../doctor/backlog.ts'
import { judgeDisk } from '../../doctor/data-folder.ts'
import { urgentOf } from './urgent-finding.ts'

const MEGABYTE = 1024 * 1024
const wide = judgeDisk('/data', 9_000 * MEGABYTE)
const scarce = judgeDisk('/data', 2_000 * MEGABYTE)
const full = judgeDisk('/data', 100 * MEGABYTE)

it('returns nothing while disk and backlog are fine', () => {
  expect(urgentOf([wide, judgeBacklog({ waiting: 99_999 })])).toBeUndefined()
})

it('names the check that fails, and what to do', () => {
  expect(urgentOf([scarce, judgeBacklog({ waiting: 0 })])).toMatch(/^Disk: 2 GB free at \/data\. Make room/)
  expect(urgentOf([wide, judgeBacklog({ waiting: 100_000 })])).toMatch(
    /^Backlog: 100,000 deliveries wait, or more\. Look/,
  )
})

it('names a problem before a warning', () => {
  expect(urgentOf([judgeBacklog({ waiting: 100_000 }), full])).toMatch(/^Disk: 100 MB/)
})
