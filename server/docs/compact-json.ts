/** The length of a line of an example. */
const MOST_CHARACTERS = 84

/** Readable JSON: values that fit are on one line. */
export function compactJson(value: unknown, indent = ''): string {
  const line = oneLine(value)
  if (line.length + indent.length <= MOST_CHARACTERS || typeof value !== 'object' || value === null) return line
  const inner = `${indent}  `
  if (Array.isArray(value)) return `[\n${value.map((item) => inner + compactJson(item, inner)).join(',\n')}\n${indent}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return `{\n${fields.map(([name, field]) => `${inner}"${name}": ${compactJson(field, inner)}`).join(',\n')}\n${indent}}`
}

function oneLine(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  const fields = Object.entries(value).filter(([, field]) => field !== undefined)
  return fields.length === 0 ? '{}' : `{ ${fields.map(([name, field]) => `"${name}": ${oneLine(field)}`).join(', ')} }`
}
