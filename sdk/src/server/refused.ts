import { warnOnce } from '../safely.ts'

/** A problem of a request, as the API names it. */
export interface Refusal {
  param?: string
  message?: string
}

const ATTRIBUTE = /^(?:(group)\.)?(attributes|membership)\.([^.]+)/

/**
 * Takes the attributes, and the key, that the API has refused out of a body and names them in the console, so that the rest
 * counts: one wrong value must not keep a user from being identified. False when something else was refused.
 */
export function leaveOut(body: object, refused: readonly Refusal[]): boolean {
  const places = refused.map(({ param, message }) => {
    // Of a call: a server that is older than this script does not know it.
    if (param === 'key') return { attributes: body as Record<string, unknown>, name: param, message }
    const [, group, map, name] = ATTRIBUTE.exec(param ?? '') ?? []
    const within = (group ? (body as Record<string, never>)[group] : body) as Record<string, object> | undefined
    const attributes = within?.[map ?? ''] as Record<string, unknown> | undefined
    return name !== undefined && attributes && Object.hasOwn(attributes, name) ? { attributes, name, message } : null
  })
  if (places.length === 0 || places.includes(null)) return false
  for (const place of places) {
    if (!place) continue
    warnOnce(`${JSON.stringify(place.name)} was left out: ${place.message}`)
    delete place.attributes[place.name]
  }
  return true
}
