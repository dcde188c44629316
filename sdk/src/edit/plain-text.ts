import type { Inline } from '../../../contract/content/rendered.ts'

/** What names a step for a member. */
export function plainText(parts: readonly Inline[]): string {
  return parts
    .map((part): string => {
      if ('text' in part) return part.text
      if ('value' in part) return part.value
      if ('code' in part) return part.code
      return plainText('bold' in part ? part.bold : 'italic' in part ? part.italic : part.link)
    })
    .join('')
}
