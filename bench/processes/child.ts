import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'

type Reply<Answer> = { answer: Answer } | { problem: string }

/** A part of the benchmark in a process of its own, which answers one question at a time. */
export class Child<Question, Answer> {
  readonly #process: ChildProcess

  constructor(file: URL) {
    this.#process = fork(file, { serialization: 'advanced' })
  }

  get pid(): number {
    return this.#process.pid as number
  }

  async ask(question: Question): Promise<Answer> {
    this.#process.send(question as object)
    const [reply] = (await Promise.race([once(this.#process, 'message'), this.#end()])) as [Reply<Answer>]
    if ('problem' in reply) throw new Error(reply.problem)
    return reply.answer
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return
    const exit = once(this.#process, 'exit')
    this.#process.disconnect()
    await exit
  }

  async #end(): Promise<never> {
    const [code] = await once(this.#process, 'exit')
    throw new Error(`a process of the benchmark ended with ${code}`)
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
