/** What few pages ever need, in one file: the name and the hash of each file take 50 bytes of the loader. */
export { leaveOut } from './server/refused.ts'
export { reportMissing } from './sessions/missing-target.ts'
export { readOutcomes } from './sessions/read-outcomes.ts'
