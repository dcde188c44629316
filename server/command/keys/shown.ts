import { type KeyRow, shownKey } from '../../accounts/key-queries.ts'
import { StartupError } from '../../startup-error.ts'
import { UsageError } from '../command.ts'

/** The key with this id, or with this shown form (`...` or `…`). */
export function findKey(keys: readonly KeyRow[], text: string): KeyRow {
  const shown = text.replace('...', '…')
  if (!/^\d+$/.test(text) && !shown.includes('…')) {
    throw new UsageError('A key is named by its id or as "keys list" shows it, never by the key itself.')
  }
  const matching = keys.filter((row) => String(row.id) === text || shownKey(row) === shown)
  const live = matching.filter((row) => row.revoked_at === null)
  const [found, ...others] = live.length > 0 ? live : matching
  if (!found) throw new StartupError(`There is no key ${text}. See: npx usher keys list --all`)
  if (others.length > 0) throw new StartupError(`Several keys are shown as ${text}: name the one by its id.`)
  return found
}
