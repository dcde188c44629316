import fc from 'fast-check'

const hostile = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, '', ' ', '__proto__', 'constructor', '\u202e', 'x'.repeat(300)),
  fc.constantFrom<unknown>([], {}, [null], [[]], [{}], { all: [] }, { not: {} }, { any: [{ all: [{}] }] }, '3d', 'who'),
  fc.constantFrom<unknown>('{{', '{{ user.x', '***[_`{{', '//x', 'css=((((', 'role=button[name="', { event: 'e' }),
  fc.jsonValue({ maxDepth: 3 }),
)

interface Change {
  /** From the outside to the inside: which field of each object or list, by its number. */
  path: readonly number[]
  kind: 'replace' | 'remove' | 'add' | 'repeat'
  value: unknown
}

const change: fc.Arbitrary<Change> = fc.record({
  path: fc.array(fc.nat(1_000), { minLength: 1, maxLength: 6 }),
  kind: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const, 'repeat' as const),
  value: hostile,
})

/** One of some JSON objects, with up to three of its fields replaced, removed, added or repeated. */
export function mutated(examples: readonly object[]): fc.Arbitrary<object> {
  return fc
    .tuple(fc.constantFrom(...examples), fc.array(change, { minLength: 1, maxLength: 3 }))
    .map(([example, changes]) => {
      const value = structuredClone(example)
      for (const one of changes) make(one, value)
      return value
    })
}

function make({ path: [number = 0, ...below], kind, value }: Change, parent: object): void {
  const names = Object.keys(parent)
  const name = names[number % names.length]
  const fields = parent as Record<string, unknown>
  const inner = name === undefined ? undefined : fields[name]
  if (below.length > 0 && isFields(inner)) make({ path: below, kind, value }, inner)
  else if (kind === 'add' || name === undefined)
    fields[Array.isArray(parent) ? parent.length : 'other'] = structuredClone(value)
  else if (kind === 'replace') fields[name] = structuredClone(value)
  else if (Array.isArray(parent)) parent.splice(Number(name), 1, ...(kind === 'remove' ? [] : [inner, inner]))
  else delete fields[name]
}

const isFields = (value: unknown): value is object => typeof value === 'object' && value !== null
