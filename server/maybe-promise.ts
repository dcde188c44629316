/** What is nearly always there at once. A promise, and the turn that its await takes, is made only when it is not. */
export type MaybePromise<T> = T | Promise<T>

export function after<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
