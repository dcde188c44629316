import type { OfferedLocator } from '../../../contract/sdk/edit.ts'
import { matchesOf } from '../page/find.ts'

const EVERY_MS = 250
/** How long the page has to come up after the reload. Then the member is told, and it is looked for further. */
const LATE_MS = 8_000
/** Some locators may hold before others, while the page still draws. */
const SETTLED_MS = 750

/**
 * Tries locators again on a page that was just loaded. Those stay that find one element, and the same one as the best of them.
 * It ends when the best one holds and a moment has passed; `late` is told when none holds after some seconds.
 */
export function tryAgain(
  locators: readonly OfferedLocator[],
  late: () => void,
  done: (held: OfferedLocator[]) => void,
) {
  const begun = performance.now()
  let heldSince: number | null = null
  let isLate = false
  const timer = setInterval(() => {
    const now = performance.now()
    const held = holding(locators)
    heldSince = held.length === 0 ? null : (heldSince ?? now)
    if (held.length === locators.length || (heldSince !== null && now - heldSince >= SETTLED_MS)) {
      clearInterval(timer)
      done(held)
    } else if (!isLate && now - begun >= LATE_MS) {
      isLate = true
      late()
    }
  }, EVERY_MS)
  return () => clearInterval(timer)
}

function holding(locators: readonly OfferedLocator[]): OfferedLocator[] {
  const found = locators.map((one) => ({ one, elements: matchesOf(one.locator, 2) }))
  const best = found.find(({ elements }) => elements.length === 1)?.elements[0]
  return found.filter(({ elements }) => elements.length === 1 && elements[0] === best).map(({ one }) => one)
}
