import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** CPU time and memory of processes and their descendants, from /proc. Known on Linux only. */

const TICK_MICROS = 10_000
export const HAS_PROC = existsSync('/proc/self/stat')

interface ProcessStat {
  pid: number
  name: string
  parent: number
  ticks: number
  /** Of children that have ended. */
  endedTicks: number
}

export function statOf(pid: number): ProcessStat | undefined {
  let text: string
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  } catch {
    return undefined
  }
  // The name is in parentheses and may contain any character, also a parenthesis.
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  const field = (number: number) => Number(fields[number - 3])
  return {
    pid,
    name: text.slice(text.indexOf('(') + 1, end),
    parent: field(4),
    ticks: field(14) + field(15),
    endedTicks: field(16) + field(17),
  }
}

/** A process and all below it. */
export function processTree(root: number): ProcessStat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])
  const tree = all.filter(({ pid }) => pid === root)
  for (const each of tree) tree.push(...all.filter(({ parent }) => parent === each.pid))
  return tree
}

/** What a process and all below it have used so far, those that have ended included. */
export function cpuMicros(root: number | undefined): number {
  if (root === undefined || !HAS_PROC) return Number.NaN
  return processTree(root).reduce((sum, { ticks, endedTicks }) => sum + ticks + endedTicks, 0) * TICK_MICROS
}

/** The most that the largest process of the tree ever had resident, in megabytes. */
export function peakMegabytes(root: number): number {
  return HAS_PROC ? Math.max(...processTree(root).map(({ pid }) => statusOf(pid, 'VmHWM'))) : Number.NaN
}

export function residentMegabytes(root: number): number {
  return HAS_PROC ? Math.max(...processTree(root).map(({ pid }) => statusOf(pid, 'VmRSS'))) : Number.NaN
}

function statusOf(pid: number, field: string): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / 1_024
}
