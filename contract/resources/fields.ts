import type { TSchema } from 'typebox'
import { Type } from '../type.ts'

/** The parts that resources are made of. */

export const object = (name: string) => Type.Literal(name, { description: `Always \`${name}\`.`, examples: [name] })
export const time = (description: string) =>
  Type.String({ description, format: 'date-time', examples: ['2026-01-03T09:30:00.000Z'] })
export const text = (description: string, example: string) => Type.String({ description, examples: [example] })
export const ref = (name: string) => Type.Unsafe<unknown>({ $ref: `#/components/schemas/${name}` })
export const nullable = (schema: TSchema, description: string, example: string | null = null) =>
  Type.Union([schema, Type.Null()], { description, examples: [example] })
export const manyOf = (name: string, path: string) =>
  nullable(Type.Array(ref(name)), `Null unless expanded with \`expand=${path}\`.`)
export const oneOf = (name: string, path: string) =>
  nullable(ref(name), `Null unless expanded with \`expand=${path}\`; also null while no such ${path} exists.`)

export function resource(description: string, fields: Record<string, TSchema>) {
  return Type.Object(fields, { description, additionalProperties: false })
}
