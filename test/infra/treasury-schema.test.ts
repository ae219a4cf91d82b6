import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { SCHEMA_FILE, treasurySchemaText } from '../../core/treasury/write-schema.ts'

test('treasury.schema.json equals the output of `node core/treasury/write-schema.ts`', () => {
  expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(treasurySchemaText())
})

test('treasury.json names its schema, so that an editor completes it', () => {
  const treasury = JSON.parse(readFileSync(new URL('../../treasury.json', import.meta.url), 'utf8'))
  expect(treasury.$schema).toBe('./treasury.schema.json')
})

test('the schema requires only fields without a default', () => {
  const schema = JSON.parse(treasurySchemaText())
  expect(schema.required).toEqual(['service'])
  expect(schema.properties.service.required).toEqual(['url', 'stage'])
  expect(schema.properties.timing.required).toBeUndefined()
})
