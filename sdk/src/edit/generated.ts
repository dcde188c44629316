/**
 * Whether a class name or an id looks as if a tool had made it: it changes with the next build, the next page view or the next
 * record. Wrong guesses cost little: the element gets a less stable locator.
 */
export function isGenerated(name: string): boolean {
  // React's `useId`, variants of utility classes.
  if (/[:[\]/@!]/.test(name)) return true
  if (MADE.test(name)) return true
  // The number of a record, or a counter.
  if (/(?:^|[-_])\d{3,}$/.test(name) || /^\d+$/.test(name)) return true
  return name.split(/[-_]+/).some(isRandom)
}

/** The prefixes of tools that make names; some of them also stand before words, and count with a digit only. */
const MADE = /^(?:css|sc|svelte|emotion|astro)-|^_?ng-?c\d|^(?:jss|ember|radix|headlessui|cdk|el-id|rc|mui).*\d/i

/** `3xK9a`, `1q2w3e`, `aBcDe`, or a long run of hexadecimal digits. */
function isRandom(part: string): boolean {
  if (part.length < 5) return false
  if (/^[0-9a-f]{8,}$/i.test(part) && /\d/.test(part)) return true
  const digits = part.replace(/\D/g, '').length
  const changes = part.match(/[a-z](?=[A-Z])|[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0
  if (digits > 0) return changes >= 2
  return part.length <= 8 && changes >= 2
}
