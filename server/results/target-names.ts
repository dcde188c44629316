/** The names of the counts of targets: which version and step, and which of its locators found the element. */

/** The place of the locator; null when none of them found exactly one element. */
export type Found = number | null

export function targetName(versionId: string, step: string, found: Found): string {
  return `${versionId} ${step} ${found ?? 'missing'}`
}

export function readTargetName(name: string): { versionId: string; step: string; found: Found } | undefined {
  const [, versionId, step, found] = /^(\S+) (.*) (\d+|missing)$/s.exec(name) ?? []
  if (versionId === undefined || step === undefined) return undefined
  return { versionId, step, found: found === 'missing' ? null : Number(found) }
}
