import { readFileSync } from 'node:fs'

function load<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(`./corpus/${name}.json`, import.meta.url), 'utf8')) as T
}

/** Where mutations begin: requests that are fine, and requests that once were trouble somewhere. */
export const corpus = {
  /** Bodies by the method and path that accepts them, and bodies that no operation accepts. */
  requests: load<{ routes: Record<string, string[]>; others: string[] }>('requests'),
  queries: load<string[]>('queries'),
  /** What the `position` of a list's next page says: the order, its values, and the id. */
  positions: load<string[][]>('positions'),
  paths: load<string[]>('paths'),
  headers: load<Record<string, string[]>>('headers'),
  strings: load<string[]>('strings'),
}

export type Corpus = typeof corpus
