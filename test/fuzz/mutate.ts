import type { Random } from './random.ts'

type Mutation = (text: string, random: Random, strings: readonly string[]) => string

const mutations: Mutation[] = [
  (text, random, strings) => {
    const at = random.below(text.length + 1)
    return text.slice(0, at) + random.pick(strings) + text.slice(at)
  },
  (text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + String.fromCharCode(random.below(random.chance(0.5) ? 128 : 65_536)) + text.slice(at + 1)
  },
  (text, random) => {
    const at = random.below(text.length)
    return text.slice(0, at) + text.slice(at + 1 + random.below(8))
  },
  (text, random) => {
    const [from, length] = [random.below(text.length), 1 + random.below(12)]
    return (
      text.slice(0, from) +
      text.slice(from, from + length).repeat(1 + random.below(random.chance(0.05) ? 400 : 4)) +
      text.slice(from + length)
    )
  },
  (text, random) => text.slice(0, random.below(text.length + 1)),
  // The values of JSON, one exchanged for another of any kind.
  (text, random, strings) => {
    const value = random.pick([
      'null',
      'true',
      '[]',
      '{}',
      '0',
      '-1',
      '1e308',
      '""',
      '"u1"',
      '"g1"',
      JSON.stringify(random.pick(strings)),
    ])
    return text.replace(random.pick([/"[^"]*"(?=[,}\]])/, /\d+/, /null|true/, /\{[^{}]*\}/]), () => value)
  },
]

/** A few small changes; none in a quarter of the cases, so that there are valid requests too. */
export function mutate(text: string, random: Random, strings: readonly string[]): string {
  let mutated = text
  for (let rounds = random.below(4); rounds > 0; rounds -= 1) mutated = random.pick(mutations)(mutated, random, strings)
  return mutated
}
