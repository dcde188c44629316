type Reason = { field: string | null; message: string | null }

/** What was wrong, without the name of the field that stands before it already. */
export function messageOf({ field, message }: Reason): string {
  const text = message ?? ''
  if (!field) return text
  const own = text.split('; ').find((part) => part.startsWith(`${field}: `))
  return own ? own.slice(field.length + 2) : text
}
