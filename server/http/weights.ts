/** The values of a header such as `Accept`, in lower case, each with its weight: `br;q=0.5, gzip` has br 0.5 and gzip 1. */
export function weights(header: string): ReadonlyMap<string, number> {
  return new Map(header.split(',').map(parseValue))
}

function parseValue(value: string): [name: string, weight: number] {
  const [name = '', ...parameters] = value.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2))]
}
