/** The values of a statement that is made of parts. `$1` is the environment. */
export class Parameters {
  readonly values: unknown[] = []

  /** The name of a value in the statement, with its type. */
  add(value: unknown, type: string): string {
    return `$${this.values.push(value) + 1}::${type}`
  }
}
