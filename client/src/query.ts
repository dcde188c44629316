/** A query string for the server. A string is used unchanged. A list is `name[]=a&name[]=b`. Undefined and null are left out. */
export function queryString(query: object | string | undefined): string {
  if (query === undefined) return ''
  if (typeof query === 'string') return query
  let text = ''
  const add = (name: string, value: unknown) => {
    text += `${text === '' ? '?' : '&'}${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`
  }
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue
    if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item)
    else if (value instanceof Date) add(name, value.toISOString())
    else if (typeof value === 'object') for (const [key, part] of Object.entries(value)) addPart(name, key, part)
    else add(name, value)
  }
  return text

  /** `time: { gte: … }` is `time[gte]=…`. */
  function addPart(name: string, key: string, part: unknown): void {
    if (part !== undefined && part !== null) add(`${name}[${key}]`, part instanceof Date ? part.toISOString() : part)
  }
}
