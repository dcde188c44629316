/** A failure that the operator can fix. Its message is one line: what is wrong and what to do. */
export class StartupError extends Error {
  override name = 'StartupError'
}
