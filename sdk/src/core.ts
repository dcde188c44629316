import { hasQuestion, progressOf, showStep } from './widgets/show.ts'

/** What a page needs for its first step. */
export { hasQuestion, progressOf, showStep }

export const parts = {
  questions: () => import('./widgets/questions.ts'),
  checklist: () => import('./widgets/checklist.ts'),
}
