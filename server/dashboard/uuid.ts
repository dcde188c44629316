const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Undefined for a text that is not a UUID. */
export function uuidOf(text: string): string | undefined {
  return UUID.test(text) ? text : undefined
}
