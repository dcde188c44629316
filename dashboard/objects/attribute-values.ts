import type { AttributeInput } from '../../contract/attributes.ts'

type Parsed = { value: AttributeInput } | { problem: string }

/** What was typed, as a value of the type. */
export function parseValue(name: string, type: string, text: string): Parsed {
  if (type === 'number') {
    const figure = Number(text.trim())
    return text.trim() === '' || !Number.isFinite(figure) ? { problem: `${name} must be a number.` } : { value: figure }
  }
  if (type === 'boolean') return { value: text === 'true' }
  if (type === 'datetime') {
    const at = new Date(text)
    return Number.isNaN(at.getTime())
      ? { problem: `${name} must be a date and a time.` }
      : { value: { set: at.toISOString(), data_type: 'datetime' } }
  }
  // The type is sent, so that a text that looks like a date-time stays a text.
  return { value: { set: text, data_type: 'string' } }
}

/** For a datetime-local field: local time without a zone. */
export function localInput(text: string): string {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) return ''
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 23)
}

/** The zone of the browser, shown beside the field. */
export const zone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
