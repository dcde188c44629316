/** Pages with an old library have `toJSON` on the prototypes of lists and objects, which would write something else. */
export function toJson(value: unknown): string {
  return JSON.stringify(bare(value))
}

/** The same without prototypes. */
function bare(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const copy = Object.setPrototypeOf(Array.isArray(value) ? [...value] : { ...value }, null)
  for (const key of Object.keys(copy)) copy[key] = bare(copy[key])
  return copy
}
