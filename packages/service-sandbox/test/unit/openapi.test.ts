// The published OpenAPI description is the one that the served endpoints follow.
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { fromJSONSchema } from 'zod'
import * as z from 'zod/mini'
import { ACTIONS } from '../../service/routes.ts'
import { openApiDocument } from '../openapi-document.ts'

const written = JSON.parse(readFileSync('packages/service-sandbox/openapi.json', 'utf8'))

describe('packages/service-sandbox/openapi.json', () => {
  test('equals what `node packages/service-sandbox/test/write-openapi.ts` writes now', () => {
    expect(written).toEqual(JSON.parse(JSON.stringify(openApiDocument())))
  })

  test('has every served endpoint', () => {
    for (const { method, path } of ACTIONS) expect(written.paths[path]).toHaveProperty(method.toLowerCase())
  })

  test('describes every field of a request', () => {
    for (const { query, body } of ACTIONS) {
      const { properties } = z.toJSONSchema(z.strictObject({ ...query.shape, ...body?.shape }), { io: 'input' })
      for (const [name, field] of Object.entries(properties ?? {})) expect(field, name).toHaveProperty('description')
    }
  })

  test('refers only to schemas that exist', () => {
    for (const [, name] of JSON.stringify(written).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(written.components.schemas).toHaveProperty(name as string)
    }
  })

  test('its schemas refuse an extra field, a missing field and a number for an amount', () => {
    const market = fromJSONSchema(written.components.schemas.Market)
    const right = {
      id: 'A-B',
      baseAsset: 'A',
      rebasedBaseAsset: 'A',
      quoteAsset: 'B',
      minBaseAmount: '1',
      minQuoteAmount: '1',
    }
    expect(market.safeParse(right).success).toBe(true)
    for (const change of [{ extra: '1' }, { id: undefined }, { minBaseAmount: 1 }, { minQuoteAmount: '1e3' }]) {
      expect(market.safeParse({ ...right, ...change }).success).toBe(false)
    }
  })
})
