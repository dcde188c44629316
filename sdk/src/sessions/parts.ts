/** The parts of the script that the first tooltip does not need. */
const parts = {
  stream: () => import('../server/stream.ts'),
  seldom: () => import('../seldom.ts'),
  questions: () => import('../widgets/questions.ts'),
  'checklist-run': () => import('./checklist-run.ts'),
  'ambient-run': () => import('./ambient-run.ts'),
  'edit-mode': () => import('../edit/edit-mode.ts'),
}

let check: (part: string) => void = () => {}

/** `verify` lets the browser check the bytes of a file before it runs. */
export function setVerifier(verify: (part: string) => void): void {
  check = verify
}

export function loadPart<Name extends keyof typeof parts>(name: Name): ReturnType<(typeof parts)[Name]> {
  check(name)
  return parts[name]() as ReturnType<(typeof parts)[Name]>
}
