/**
 * Whether a spreadsheet may run a cell with this text as a formula. Some take the wide signs of East Asian keyboards for the
 * usual ones, and pass over a line break before them. A text that begins with apostrophes before it counts too, so that one
 * can be added and removed again.
 */
export function looksLikeFormula(text: string): boolean {
  return /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(text)
}
