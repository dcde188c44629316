/** The names of the counts of targets: which version and step, and which of its locators found the element. */

/** The place of the locator; null when none of them found exactly one element. */
export type Found = number | null

export function targetName(versionId: string, step: string, found: Found): string {
  return `${versionId} ${step} ${found ?? 'missing'}`
}

export function readTargetName(name: string): { step: string; found: Found } | undefined {
  const [, step, found] = /^\S+ (.*) (\d+|missing)$/s.exec(name) ?? []
  return step === undefined ? undefined : { step, found: found === 'missing' ? null : Number(found) }
}
