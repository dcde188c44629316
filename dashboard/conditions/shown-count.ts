import { count } from '../format/number.ts'
import type { Count } from './queries.ts'

/** `1,284`, or `about 1,300` where a sample was counted. */
export const shownCount = ({ exact, count: found }: Pick<Count, 'exact' | 'count'>): string =>
  exact ? count(found) : `about ${count(found)}`

/** `1 matches`, `about 1,300 match`. */
export const matchWords = (counted: Pick<Count, 'exact' | 'count'>): string =>
  `${shownCount(counted)} ${counted.count === 1 ? 'matches' : 'match'}`
