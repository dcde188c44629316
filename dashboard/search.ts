/**
 * The search part of an address: plain texts, a name that comes twice is a list. Nothing is read as JSON, so an id such as
 * `123` or `true` stays a text.
 */
export function parseSearch(search: string): Record<string, string | string[]> {
  const found: Record<string, string | string[]> = {}
  for (const [name, value] of new URLSearchParams(search)) {
    // Not `valueOf` and the like, which every object has.
    const before = Object.hasOwn(found, name) ? found[name] : undefined
    found[name] = before === undefined ? value : [before, value].flat()
  }
  return found
}

export function stringifySearch(search: Record<string, unknown>): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const item of [value].flat()) {
      if (item !== undefined && item !== null && item !== '') query.append(name, String(item))
    }
  }
  const text = query.toString()
  return text ? `?${text}` : ''
}

/** One text of the search, or undefined; of a list the first. */
export function text(value: unknown): string | undefined {
  const first = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' ? first : undefined
}

/** A whole number from 1 on. */
export function number(value: unknown): number | undefined {
  const given = typeof value === 'number' ? String(value) : text(value)
  return given !== undefined && /^[1-9]\d{0,8}$/.test(given) ? Number(given) : undefined
}

export function texts(value: unknown): string[] | undefined {
  const list = [value].flat().filter((item) => typeof item === 'string' && item !== '') as string[]
  return list.length > 0 ? list : undefined
}

/** One of the known values; anything else is dropped silently. */
export function one<const Values extends readonly string[]>(
  value: unknown,
  values: Values,
): Values[number] | undefined {
  return values.find((known) => known === text(value))
}

/** Without the keys that have no value, so that the address stays short. */
export function present<Search extends Record<string, unknown>>(
  search: Search,
): { [Key in keyof Search]?: Exclude<Search[Key], undefined> } {
  const kept = Object.entries(search).filter(([, value]) => value !== undefined)
  return Object.fromEntries(kept) as { [Key in keyof Search]?: Exclude<Search[Key], undefined> }
}
