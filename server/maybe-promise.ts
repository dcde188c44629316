/** A value that is nearly always available synchronously. A promise, and a turn of the event loop, is needed only otherwise. */
export type MaybePromise<T> = T | Promise<T>

export function after<T, Result>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<Result>,
): MaybePromise<Result> {
  return value instanceof Promise ? value.then(next) : next(value)
}
