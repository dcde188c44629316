import { useState } from 'react'

const MOST = 100

/** A value with what it was before and after, 100 steps each. */
export interface History<Value> {
  readonly now: Value
  readonly past: readonly Value[]
  readonly future: readonly Value[]
}

export const begin = <Value>(now: Value): History<Value> => ({ now, past: [], future: [] })

export function change<Value>({ now, past }: History<Value>, next: Value): History<Value> {
  return { now: next, past: [...past, now].slice(-MOST), future: [] }
}

export function undo<Value>(history: History<Value>): History<Value> {
  const before = history.past.at(-1)
  if (before === undefined) return history
  return { now: before, past: history.past.slice(0, -1), future: [history.now, ...history.future] }
}

export function redo<Value>(history: History<Value>): History<Value> {
  const [next, ...future] = history.future
  return next === undefined ? history : { now: next, past: [...history.past, history.now], future }
}

export function useHistory<Value>(first: () => Value) {
  return useState(() => begin(first()))
}
