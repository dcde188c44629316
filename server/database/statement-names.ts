/**
 * A prepared statement stays in the memory of every connection. There are about sixty, and one for each requested order
 * and expansion of a list.
 */
const MOST = 300
/**
 * Of all texts. Measured with deep expansions: PostgreSQL takes 25 bytes for each character of a prepared statement, on each
 * connection.
 */
const MOST_CHARACTERS = 512 * 1024
/** A text that takes more of them has no name: its statement is parsed each time. */
const MOST_SHARE = 1 / 8

interface Named {
  name: string
  usedAt: number
}

/** The names of prepared statements by their text. Beyond the bounds, the least recently used name is dropped. */
export class StatementNames {
  readonly #most: number
  readonly #mostCharacters: number
  readonly #byText = new Map<string, Named>()
  readonly #current = new Set<string>()
  #characters = 0
  #uses = 0
  #last = 0

  constructor(most = MOST, mostCharacters = MOST_CHARACTERS) {
    this.#most = most
    this.#mostCharacters = mostCharacters
  }

  /** A text that comes back gets a new name: connections may still hold the statement under its old one. */
  nameOf(text: string): string | undefined {
    if (text.length > MOST_SHARE * this.#mostCharacters) return undefined
    const known = this.#byText.get(text) ?? this.#add(text)
    this.#uses += 1
    known.usedAt = this.#uses
    return known.name
  }

  isCurrent(name: string): boolean {
    return this.#current.has(name)
  }

  #add(text: string): Named {
    this.#characters += text.length
    while (this.#byText.size >= this.#most || (this.#characters > this.#mostCharacters && this.#byText.size > 0))
      this.#giveUpOldest()
    this.#last += 1
    const named = { name: `s${this.#last}`, usedAt: 0 }
    this.#byText.set(text, named)
    this.#current.add(named.name)
    return named
  }

  #giveUpOldest(): void {
    let oldest: [string, Named] | undefined
    for (const entry of this.#byText) if (!oldest || entry[1].usedAt < oldest[1].usedAt) oldest = entry
    if (!oldest) return
    this.#byText.delete(oldest[0])
    this.#characters -= oldest[0].length
    this.#current.delete(oldest[1].name)
  }
}
