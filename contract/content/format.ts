import type { DocumentSchema } from './check.ts'
import type { ContentDocument } from './document.ts'
import { definitions } from './schema.ts'

/** The text of a file: two spaces, and the fields in the order of the schema, so that equal documents have equal texts. */
export function formatDocument(document: ContentDocument): string {
  return `${JSON.stringify(ordered(document, definitions[document.type]), null, 2)}\n`
}

function ordered(value: unknown, given: DocumentSchema | undefined): unknown {
  if (Array.isArray(value)) return value.map((item) => ordered(item, resolved(given, value)?.items))
  if (typeof value !== 'object' || value === null) return value
  const fields = resolved(given, value)?.properties ?? {}
  const names = Object.keys(value)
  const known = Object.keys(fields).filter((name) => names.includes(name))
  const others = names.filter((name) => !Object.hasOwn(fields, name))
  return Object.fromEntries(
    [...known, ...others].map((name) => [name, ordered((value as Record<string, unknown>)[name], fields[name])]),
  )
}

/** The form of a value: by the field that tells. Conditions keep the order of their writer. */
function resolved(schema: DocumentSchema | undefined, value: object): DocumentSchema | undefined {
  if (!schema) return undefined
  if (schema.$ref !== undefined)
    return resolved(definitions[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)], value)
  if (!schema.oneOf) return schema
  const by = schema['x-form-by']
  const forms = schema.oneOf.map((form) => resolved(form, value))
  return forms.find((form) =>
    by === 'key'
      ? Object.hasOwn(value, form?.required?.[0] ?? '')
      : form?.properties?.[by ?? '']?.const === (value as Record<string, unknown>)[by ?? ''],
  )
}
