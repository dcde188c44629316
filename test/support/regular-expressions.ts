import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { parseSync } from 'vite'
import { fastest, growthOf } from './growth.ts'

/** Every regular expression that is written in the sources below a folder, by where it stands. Tests do not count. */
export function literalsBelow(root: string): Map<string, RegExp> {
  const found = new Map<string, RegExp>()
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  for (const file of files.filter((name) => /(?<!\.test)\.tsx?$/.test(name)).sort()) {
    const path = join(root, file)
    visit(parseSync(path, readFileSync(path, 'utf8')).program, ({ type, regex }) => {
      if (type === 'Literal' && regex) found.set(`${path} ${regex.pattern}`, new RegExp(regex.pattern, regex.flags))
    })
  }
  return found
}

/** Every `pattern` in a JSON document, such as a schema. The validator compiles them with the flag u. */
export function patternsIn(document: unknown): Map<string, RegExp> {
  const found = new Map<string, RegExp>()
  visit(document, ({ pattern }) => {
    if (typeof pattern === 'string') found.set(`schema ${pattern}`, new RegExp(pattern, 'u'))
  })
  return found
}

interface Node {
  type?: unknown
  regex?: { pattern: string; flags: string }
  pattern?: unknown
}

function visit(node: unknown, each: (node: Node) => void): void {
  if (typeof node !== 'object' || node === null || node instanceof RegExp) return
  if (!Array.isArray(node)) each(node as Node)
  for (const child of Object.values(node)) visit(child, each)
}

const SAMPLES = 12
/** Few first: an exponential one would not end with more. */
const [FEW, SOME, MANY] = [20, 400, 4_000]
/** What takes less is not worth a second look: the square of 4,000 is 16 million steps. */
const SUSPICIOUS_MS = 1
/** What takes less for 400 is not tried with 4,000: the square of 400 takes five times as long. */
const FAST_MS = 0.02
/** For eight times the length: a linear expression has 8, a square 64. */
const MOST_GROWTH = 24

/**
 * A text for which the time of a regular expression grows faster than its length, if one is found. Texts that it matches
 * are made, each part of them is repeated many times, and the end is spoilt, so that every way to match is tried.
 */
export function findSlowText(expression: RegExp): { pump: string; growth: number } | undefined {
  // Without a quantifier nothing is tried twice.
  if (!/[+*{]/.test(expression.source)) return undefined
  for (const { before, pump, end } of attacks(expression)) {
    const replaceIn = (count: number) => {
      const text = before + pump.repeat(count) + end
      return () => void text.replace(new RegExp(expression), '')
    }
    const slow = suspicious((count) => fastest(replaceIn(count), 1))
    if (slow === undefined) continue
    const growth = growthOf(replaceIn(slow / 8), replaceIn(slow), MOST_GROWTH)
    if (growth > MOST_GROWTH) return { pump: `${before}(${pump})*${end}`, growth }
  }
  return undefined
}

/** The least number of repetitions whose time is worth a second look. */
function suspicious(timeOf: (count: number) => number): number | undefined {
  if (timeOf(FEW) > SUSPICIOUS_MS) return FEW
  const some = timeOf(SOME)
  if (some > SUSPICIOUS_MS) return SOME
  return some > FAST_MS && timeOf(MANY) > SUSPICIOUS_MS ? MANY : undefined
}

function* attacks(expression: RegExp): Iterable<{ before: string; pump: string; end: string }> {
  const seen = new Set<string>()
  for (const sample of samplesOf(expression)) {
    for (let start = 0; start < Math.min(sample.length, 40); start += 1) {
      for (const length of [1, 2, 3]) {
        const [before, pump] = [sample.slice(0, start), sample.slice(start, start + length)]
        for (const end of ['\u0000', `\u0000${sample.slice(start + length)}`]) {
          const key = JSON.stringify([before, pump, end])
          if (!seen.has(key)) yield { before, pump, end }
          seen.add(key)
        }
      }
    }
  }
}

/** Without what the generator does not know: lookahead, lookbehind, the ends of words and references to groups. */
function samplesOf({ source, flags }: RegExp): string[] {
  const simple = source
    .replace(/\(\?<?[!=](?:[^()\\]|\\.|\([^()]*\))*\)|\\[b1-9]/g, '')
    // The generator looks in vain for an ASCII character that is none.
    .replace(/\[\^\\(?:0|x00)-\\x7f\]/g, 'é')
  if (simple === '') return []
  const matching = fc.stringMatching(new RegExp(simple, flags.replace(/[giy]/g, '')))
  return fc.sample(matching, { numRuns: SAMPLES, seed: 1 })
}
