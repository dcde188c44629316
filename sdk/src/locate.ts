import { matchesOf } from './page/find.ts'

/** For `usher content check`, which runs it in a page: how many visible elements each locator finds, as the script would. */
export function count(locators: readonly string[]): number[] {
  return locators.map((locator) => matchesOf(locator, Number.POSITIVE_INFINITY).length)
}
