import type { Attributes, AttributeValue } from '../../contract/attributes.ts'

/** Own properties only: `constructor` is a valid name, and every object inherits it. */
export function own(attributes: Attributes | undefined, name: string): AttributeValue | undefined {
  return attributes !== undefined && Object.hasOwn(attributes, name) ? attributes[name] : undefined
}
