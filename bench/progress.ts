/** One line on standard error that is overwritten. Without a terminal, a line for each row. */
export class Progress {
  readonly #terminal = process.stderr.isTTY
  readonly #started = performance.now()
  #row = ''

  row(name: string, number: number, of: number): void {
    this.#row = `${number}/${of} ${name}`
    if (this.#terminal) this.say('')
    else process.stderr.write(`${this.#clock()} ${this.#row}\n`)
  }

  say(text: string): void {
    if (this.#terminal) process.stderr.write(`\r\x1b[K${this.#clock()} ${this.#row} ${text}`)
  }

  end(): void {
    if (this.#terminal) process.stderr.write('\r\x1b[K')
  }

  #clock(): string {
    const seconds = Math.round((performance.now() - this.#started) / 1_000)
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  }
}
