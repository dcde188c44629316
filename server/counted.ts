/** A number as people read it: `1,200`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

/** `1 user`, `1,200 users`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`
}
