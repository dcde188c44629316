type Reason = { field: string | null; message: string | null }

/** The error message without the field name, which is shown before it. */
export function messageOf({ field, message }: Reason): string {
  const text = message ?? ''
  if (!field) return text
  const own = text.split('; ').find((part) => part.startsWith(`${field}: `))
  return own ? own.slice(field.length + 2) : text
}
