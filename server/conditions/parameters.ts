/** The values of a statement that is made of parts. `$1` is the environment. */
export class Parameters {
  readonly values: unknown[] = []
  readonly #names = new Map<string, string>()

  /** The name of a value in the statement, with its type. The same value has the same name, so equal parts have equal texts. */
  add(value: unknown, type: string): string {
    const key = `${type} ${JSON.stringify(value)}`
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const name = `$${this.values.push(value) + 1}::${type}`
    this.#names.set(key, name)
    return name
  }
}
