/** Edits of the lists of a document: steps, tasks, blocks, buttons, ways. None changes what it is given. */

export function replaced<Item>(list: readonly Item[], index: number, item: Item): Item[] {
  return list.map((one, at) => (at === index ? item : one))
}

export function removed<Item>(list: readonly Item[], index: number): Item[] {
  return list.filter((_, at) => at !== index)
}

export function inserted<Item>(list: readonly Item[], index: number, item: Item): Item[] {
  return [...list.slice(0, index), item, ...list.slice(index)]
}

/** The list itself when the place is outside of it. */
export function moved<Item>(list: readonly Item[], from: number, to: number): Item[] {
  const item = list[from]
  if (item === undefined || to < 0 || to >= list.length || from === to) return list as Item[]
  return inserted(removed(list, from), to, item)
}

interface Keyed {
  key: string
}

/** `step-2`: the first of its kind that is free. */
export function freshKey(list: readonly Keyed[], word: string): string {
  const taken = new Set(list.map(({ key }) => key))
  for (let number = list.length + 1; ; number++) {
    const key = `${word}-${number}`
    if (!taken.has(key)) return key
  }
}

/** `thanks-copy`, `thanks-copy-2` …: at most 64 characters. */
export function copiedKey(list: readonly Keyed[], key: string): string {
  const taken = new Set(list.map((one) => one.key))
  for (let number = 1; ; number++) {
    const end = number === 1 ? '-copy' : `-copy-${number}`
    const next = key.slice(0, 64 - end.length) + end
    if (!taken.has(next)) return next
  }
}

/** With a copy behind the item, which has a key of its own. */
export function duplicated<Item extends Keyed>(list: readonly Item[], index: number): Item[] {
  const item = list[index]
  return item ? inserted(list, index + 1, { ...item, key: copiedKey(list, item.key) }) : (list as Item[])
}
