/** A key from the name that a person gave, and a number behind it when it is taken. */
export function keyOf(name: string, taken: readonly string[], otherwise: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 50)
    .replace(/^-|-$/g, '')
  const key = /^[a-z0-9]/.test(plain) ? plain : otherwise
  for (let number = 1; ; number++) {
    const tried = number === 1 ? key : `${key}-${number}`
    if (!taken.includes(tried)) return tried
  }
}
