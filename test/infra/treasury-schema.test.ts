// The published schema of treasury.json is that of the code, and describes every field.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { describeFields } from '../../core/treasury/field-descriptions.ts'
import { SCHEMA_FILE, treasurySchemaText } from '../../core/treasury/write-schema.ts'

test('treasury.schema.json equals the output of `node core/treasury/write-schema.ts`', () => {
  expect(readFileSync(SCHEMA_FILE, 'utf8')).toBe(treasurySchemaText())
})

test('every field of the schema has a description of a few whole sentences', () => {
  const fields = fieldsIn(JSON.parse(treasurySchemaText()))
  expect(fields.length).toBeGreaterThan(400)
  for (const [name, { description }] of fields) expect(description, name).toMatch(/^[A-Z\d].{8,220}\.$/)
})

test('a field of the same name is described by its place', () => {
  const found = fieldsIn(JSON.parse(treasurySchemaText())).filter(([name]) => name === 'from' || name === 'assets')
  expect(new Set(found.map(([, { description }]) => description)).size).toBeGreaterThan(5)
})

test('a field that nobody has described stops the schema', () => {
  const schema = { properties: { timing: { properties: { patience: { type: 'integer' } } } } }
  expect(() => describeFields(schema)).toThrow(/the field patience of timing has no description/)
})

type Field = readonly [name: string, schema: { readonly description?: string }]

function fieldsIn(schema: unknown): readonly Field[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) => [
    ...(name === 'properties' ? Object.entries(value as Readonly<Record<string, Field[1]>>) : []),
    ...fieldsIn(value),
  ])
}

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
