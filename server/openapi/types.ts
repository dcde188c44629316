/** The parts of OpenAPI 3.1 that our document uses. */

export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  examples?: unknown[]
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  not?: Schema
  pattern?: string
  minimum?: number
  maximum?: number
  maxLength?: number
  maxItems?: number
  default?: unknown
  'x-rule'?: string
  /** An addition to the API contract. Clients may ignore it. */
  'x-addition'?: boolean
}

export interface Parameter {
  'x-addition'?: true
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description: string
  schema: Schema
  example?: unknown
  style?: 'form'
  explode?: boolean
}

export interface Header {
  'x-addition'?: true
  description: string
  schema: Schema
  example: unknown
}

export interface Reference {
  $ref: string
}

export interface MediaType {
  schema: Reference
  example?: unknown
  examples?: Record<string, { summary: string; value: unknown }>
}

export interface ResponseObject {
  description: string
  headers?: Record<string, Reference>
  content: { 'application/json': MediaType }
}

export interface OperationObject {
  operationId: string
  tags: string[]
  summary: string
  description: string
  parameters: (Parameter | Reference)[]
  requestBody?: { required: boolean; description: string; content: { 'application/json': MediaType } }
  responses: Record<string, ResponseObject | Reference>
  security?: Record<string, string[]>[]
  'x-addition'?: true
}

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: {
    title: string
    version: string
    summary: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: { url: string; description: string }[]
  tags: { name: string; description: string }[]
  security: Record<string, string[]>[]
  paths: Record<string, Record<string, OperationObject>>
  webhooks: Record<string, { post: OperationObject }>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, ResponseObject>
    securitySchemes: Record<string, { type: 'http'; scheme: 'bearer'; description: string }>
  }
  'x-limits': Record<string, { value: number; description: string; example: string }>
}
