/** A failure that the operator can fix. Its message is one line: what is wrong and what to do. */
export class StartupError extends Error {
  override name = 'StartupError'
  /** Of the command that it ends. */
  readonly exitCode: number

  constructor(message: string, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Several such failures: its message has a line for each. */
export class StartupErrors extends StartupError {
  readonly messages: readonly string[]

  constructor(messages: readonly string[]) {
    super(messages.join('\n'))
    this.messages = messages
  }
}
