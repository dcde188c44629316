/** Cut in the middle, never at the end: ids differ at their ends. */
export function middle(text: string, most = 22): string {
  const letters = [...text]
  if (letters.length <= most) return text
  const tail = Math.floor((most - 1) / 3)
  return `${letters.slice(0, most - 1 - tail).join('')}…${letters.slice(-tail).join('')}`
}

/** AO for Ada Okafor; a question mark when there is no name. */
export function initials(name: string | null | undefined): string {
  const words = (name ?? '').trim().split(/\s+/).filter(Boolean)
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words
  return letters.map((word) => [...(word ?? '')][0]?.toUpperCase() ?? '').join('') || '?'
}
