/** A failure that the operator can mend: its message is one line that says what is wrong and what to do about it. */
export class StartupError extends Error {
  override name = 'StartupError'
}
