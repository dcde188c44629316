import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

type Reply<Answer> = { answer: Answer } | { problem: string }

interface Asked<Answer> {
  resolve(answer: Answer): void
  reject(error: Error): void
}

/** A part of the benchmark in its own process, which answers one question at a time. */
export class Child<Question, Answer> {
  readonly #process: ChildProcess
  #asked: Asked<Answer> | undefined

  constructor(file: URL) {
    this.#process = fork(file, { serialization: 'advanced' })
    this.#process.on('message', (reply: Reply<Answer>) => {
      if ('problem' in reply) this.#asked?.reject(new Error(reply.problem))
      else this.#asked?.resolve(reply.answer)
    })
    this.#process.on('exit', (code) => this.#asked?.reject(new Error(`${file.pathname} ended with ${code}`)))
  }

  get pid(): number {
    return this.#process.pid as number
  }

  async ask(question: Question): Promise<Answer> {
    return await new Promise((resolve, reject) => {
      this.#asked = { resolve, reject }
      this.#process.send(question as object)
    })
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exit = once(this.#process, 'exit')
    this.#process.disconnect()
    await exit
  }
}

/** The child's side. It ends with its parent, however that ends. */
export function answerParent<Question, Answer>(answer: (question: Question) => Promise<Answer>): void {
  const send = (reply: Reply<Answer>) => void process.send?.(reply)
  process.on('message', (question: Question) => {
    answer(question).then(
      (given) => send({ answer: given }),
      (error: Error) => send({ problem: error.stack ?? String(error) }),
    )
  })
  process.on('disconnect', () => process.exit())
}
