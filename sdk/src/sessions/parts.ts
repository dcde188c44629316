/** The parts of the script that the first tooltip does not need. */
const parts = {
  stream: () => import('../server/stream.ts'),
  seldom: () => import('../seldom.ts'),
  questions: () => import('../widgets/questions.ts'),
  'checklist-run': () => import('./checklist-run.ts'),
  'ambient-run': () => import('./ambient-run.ts'),
  'edit-mode': () => import('../edit/edit-mode.ts'),
}

/** Lets the browser check the bytes of a file before it runs, and answers its address; in the npm package there is none. */
export type Verify = (part: string, query: string) => string | null

let check: Verify = () => null
const failures = new Map<string, number>()

export function setVerifier(verify: Verify): void {
  check = verify
}

/** A file that could not be loaded is asked for by another address: Chromium never asks for the same one again. */
export async function loadPart<Name extends keyof typeof parts>(
  name: Name,
): Promise<Awaited<ReturnType<(typeof parts)[Name]>>> {
  const failed = failures.get(name)
  const address = check(name, failed ? `?${failed}` : '')
  try {
    return (await (failed && address ? import(/* @vite-ignore */ address) : parts[name]())) as never
  } catch (problem) {
    failures.set(name, (failed ?? 0) + 1)
    throw problem
  }
}
