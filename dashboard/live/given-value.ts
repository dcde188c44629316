const MOST_CHARACTERS = 60

/** What a refused field held, in words: It was the text "24". Send it without quotation marks. */
export function givenWords(body: string | null, field: string | null, message: string): string | undefined {
  if (!body || !field) return undefined
  const value = valueAt(body, field)
  if (value === undefined) return undefined
  return [`It was ${wordsOf(value)}.`, adviceOf(value, message)].filter(Boolean).join(' ')
}

/** Undefined when the body is cut or is not JSON, or the field is not in it. */
function valueAt(body: string, field: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return undefined
  }
  for (const name of field.replace(/\[(\d+)\]/g, '.$1').split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Record<string, unknown>)[name]
  }
  return value
}

function wordsOf(value: unknown): string {
  if (typeof value === 'string') return value === '' ? 'empty' : `the text ${JSON.stringify(shortened(value))}`
  if (typeof value === 'number') return `the number ${value}`
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

const shortened = (text: string) => (text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text)

function adviceOf(value: unknown, message: string): string | undefined {
  const wanted = /must be an? (number|boolean|string)/.exec(message)?.[1]
  if (wanted === 'string' && (typeof value === 'number' || typeof value === 'boolean'))
    return 'Send it in quotation marks.'
  const isQuoted =
    (wanted === 'number' && typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value))) ||
    (wanted === 'boolean' && (value === 'true' || value === 'false'))
  return isQuoted ? 'Send it without quotation marks.' : undefined
}
