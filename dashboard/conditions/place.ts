import type { Place } from '../../contract/conditions/problems.ts'

/** Where a condition stands decides what it may be about: users, groups, or the page in the browser. */
export type BuilderPlace = Place
