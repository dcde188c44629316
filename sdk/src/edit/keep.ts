import { toJson } from '../json.ts'
import { KEY, type KeptEdit } from './kept.ts'

/** A file of its own: a page that is not in edit mode only reads. */
export function keep(edit: KeptEdit | null): void {
  try {
    if (edit) sessionStorage.setItem(KEY, toJson(edit))
    else sessionStorage.removeItem(KEY)
  } catch {
    // Without storage edit mode ends with the page.
  }
}
