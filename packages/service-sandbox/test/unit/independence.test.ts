// The witness shares no code with the product that it judges.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

test('the witness imports only itself, Node, schemas, and a decimal library that the product does not use', () => {
  const files = readdirSync('packages/service-sandbox/service', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  )
  expect(files.length).toBeGreaterThan(50)
  for (const name of files) {
    const imported = [
      ...readFileSync(`packages/service-sandbox/service/${name}`, 'utf8').matchAll(/from '([^']+)'/g),
    ].map(([, from]) => from)
    for (const from of imported)
      expect(from, name).toMatch(
        /^(node:|decimal\.js$|zod\/mini$|\.\.?\/(?!.*\b(functions|core|schedules|infra|cli|embedded-aws)\b))/,
      )
  }
})
