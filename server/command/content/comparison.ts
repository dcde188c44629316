import { differenceTexts, isEqual } from '../../../contract/content/differences.ts'
import type { DocumentFile } from './files.ts'
import type { StoredContent } from './stored.ts'

/** How a folder and a place differ: for each content that differs, its changes in words. */
export interface Differing {
  key: string
  state: 'new' | 'changed' | 'only_there'
  changes: string[]
}

/** From what is stored to what the folder has. `published`: what users see, instead of the drafts. */
export function compareFolder(
  files: readonly DocumentFile[],
  stored: readonly StoredContent[],
  isPublished: boolean,
): Differing[] {
  const there = new Map(stored.map((one) => [one.key, isPublished ? one.published : one.draft]))
  const keys = new Set(files.map(({ document }) => document.key))
  const own = files.flatMap(({ document }): Differing[] => {
    const before = there.get(document.key) ?? undefined
    if (before && isEqual(before, document)) return []
    return [{ key: document.key, state: before ? 'changed' : 'new', changes: differenceTexts(before, document) }]
  })
  const others = [...there]
    .filter(([key, document]) => !keys.has(key) && document !== null)
    .map(([key]): Differing => ({ key, state: 'only_there', changes: ['has no file here'] }))
  return [...own, ...others]
}

export function differingText(differing: readonly Differing[]): string {
  if (differing.length === 0) return 'No differences.'
  return differing.map(({ key, changes }) => [key, ...changes.map((change) => `  ${change}`)].join('\n')).join('\n\n')
}
