/** What one check found, and what to do about it. */
export interface Finding {
  check: string
  status: 'ok' | 'warning' | 'problem'
  finding: string
  advice?: string
}

export function ok(check: string, finding: string): Finding {
  return { check, status: 'ok', finding }
}

/** It works now, and will fail if nothing is done. */
export function warning(check: string, finding: string, advice: string): Finding {
  return { check, status: 'warning', finding, advice }
}

export function problem(check: string, finding: string, advice: string): Finding {
  return { check, status: 'problem', finding, advice }
}
