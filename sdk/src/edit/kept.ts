import type { OfferedLocator } from '../../../contract/sdk/edit.ts'

export const KEY = 'usher.edit'

/** What a tab in edit mode keeps over a reload and a navigation, in the storage of the tab. */
export interface KeptEdit {
  session: string
  /** Picked, and to be tried again after a reload before it is offered. */
  pending?: { step: string | null; locators: OfferedLocator[] }
  /** Where a preview is. */
  step?: string
}

export function readKept(): KeptEdit | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as KeptEdit | null
    return typeof kept?.session === 'string' ? kept : null
  } catch {
    return null
  }
}
