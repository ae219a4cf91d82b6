// Builds the OpenAPI 3.1 document of the sandbox from the actions that serve the requests.
import * as z from 'zod/mini'
import type { Access } from '../service/authentication.ts'
import type { Action } from '../service/exchange.ts'
import type { Fields } from '../service/fields.ts'
import { COMPONENTS, schemaOf } from '../service/openapi/schemas.ts'
import { ACTIONS } from '../service/routes.ts'

type Json = Readonly<Record<string, unknown>>

export function openApiDocument(): Json {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const action of ACTIONS) {
    paths[action.path] = { ...paths[action.path], [action.method.toLowerCase()]: operation(action) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Sandbox of the conversion and transfer service API',
      version: '2',
      description:
        'The API of the tidy sandbox. packages/service-sandbox/README.md describes how it may be untidy, and ' +
        'docs/assumptions.md lists what the description of the service leaves open.',
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths,
    components: {
      schemas: components(),
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The key secret.' },
        keyPrefix: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'The key prefix, 21 characters.' },
        signedJwt: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'EdDSA or RS256 over sub, uri, nonce, iat, exp and bodyHash; exp - iat at most 60 s.',
        },
      },
    },
  }
}

function operation(action: Action): Json {
  return {
    summary: action.summary,
    security: security(action.access),
    ...(action.access.tier !== 'none' && { 'x-scope': action.access.scope }),
    parameters: [...pathParameters(action.path), ...queryParameters(action.query)],
    ...(action.body !== undefined && { requestBody: { required: true, content: json(action.body) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(action.answers).map(([status, form]) => [
          status,
          { description: action.summary, content: json(schemaOf(form)) },
        ]),
      ),
      default: {
        description: 'A problem document (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

function security({ tier }: Access): readonly Record<string, readonly string[]>[] {
  if (tier === 'none') return []
  return tier === 'bearer' ? [{ bearer: [] }] : [{ keyPrefix: [], signedJwt: [] }]
}

function json(schema: z.ZodMiniType): Json {
  return { 'application/json': { schema: jsonSchema(schema) } }
}

function pathParameters(path: string): Json[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(fields: Fields): Json[] {
  const { properties = {}, required = [] } = jsonSchema(fields)
  return Object.entries(properties).map(([name, property]) => {
    // A JSON Schema may be true or false, but zod writes an object for each field.
    const { description, ...schema } = property as z.core.JSONSchema.BaseSchema
    return { name, in: 'query', required: required.includes(name), description, schema }
  })
}

function components(): Json {
  return Object.fromEntries(Object.entries(COMPONENTS).map(([name, schema]) => [name, converted(schema).$defs?.[name]]))
}

/** Returns a schema for its place in the document, where components are references. */
function jsonSchema(schema: z.ZodMiniType): z.core.JSONSchema.BaseSchema {
  const { $schema, $defs, ...own } = converted(schema)
  return own
}

/**
 * Converts the form that callers send, not the form after reading. zod nests the components; OpenAPI keeps them
 * elsewhere.
 */
function converted(schema: z.ZodMiniType): z.core.JSONSchema.BaseSchema {
  const text = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))
  return JSON.parse(text.replaceAll('"#/$defs/', '"#/components/schemas/'))
}
