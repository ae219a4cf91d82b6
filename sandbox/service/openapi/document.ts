// The OpenAPI 3.1 document of the sandbox, made from the very actions that serve the requests.
import type { Access } from '../authentication.ts'
import type { Action } from '../exchange.ts'
import type { Fields, JsonSchema } from '../fields.ts'
import { ACTIONS } from '../routes.ts'
import { COMPONENTS } from './schemas.ts'

export function openApiDocument(): JsonSchema {
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
        'What the sandbox serves, as long as it is tidy: sandbox/README.md says how it may be untidy. ' +
        'Where the service leaves something open, docs/assumptions.md says so.',
    },
    servers: [{ url: 'http://127.0.0.1:4010' }],
    paths,
    components: {
      schemas: COMPONENTS,
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

function operation(action: Action): JsonSchema {
  return {
    summary: action.summary,
    security: security(action.access),
    ...(action.access.tier !== 'none' && { 'x-scope': action.access.scope }),
    parameters: [...pathParameters(action.path), ...queryParameters(action.query)],
    ...(action.body !== undefined && { requestBody: { required: true, content: json(bodySchema(action.body)) } }),
    responses: {
      ...Object.fromEntries(
        Object.entries(action.answers).map(([status, schema]) => [
          status,
          { description: action.summary, content: json(schema) },
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

function json(schema: JsonSchema): JsonSchema {
  return { 'application/json': { schema } }
}

function pathParameters(path: string): JsonSchema[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
}

function queryParameters(fields: Fields): JsonSchema[] {
  return Object.entries(fields).map(([name, { whenAbsent, expectation, schema }]) => ({
    name,
    in: 'query',
    required: whenAbsent === undefined,
    description: expectation,
    schema,
  }))
}

function bodySchema(fields: Fields): JsonSchema {
  const entries = Object.entries(fields)
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
    required: entries.filter(([, { whenAbsent }]) => whenAbsent === undefined).map(([name]) => name),
    additionalProperties: false,
  }
}
