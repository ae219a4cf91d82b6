import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Verb } from '../../functions/contract/states.ts'
import { bundleFunctions, MOST_BUNDLE_BYTES } from '../../infra/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-bundle-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let bundle: Buffer
beforeAll(() => {
  bundleFunctions(folder)
  bundle = readFileSync(join(folder, 'index.js'))
})

test('the shared bundle is under 500 KB', () => {
  expect(bundle.byteLength).toBeLessThan(MOST_BUNDLE_BYTES)
})

test('it loads as CommonJS and exports a handler for each verb', () => {
  const exported: Record<string, unknown> = createRequire(import.meta.url)(join(folder, 'index.js'))
  expect(Object.keys(exported).sort()).toEqual(Object.values(Verb).sort())
  for (const handler of Object.values(exported)) expect(handler).toBeTypeOf('function')
})

test('credentials come from the environment alone: no other place is looked into', () => {
  const isIn = (text: string) => bundle.includes(text)
  expect(isIn('the environment holds no AWS credentials')).toBe(true)
  expect(
    ['credential_process', 'AssumeRoleWithWebIdentity', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'].filter(isIn),
  ).toEqual([])
})

test('nothing but the bundle and its module type is shipped', () => {
  expect(readdirSync(folder).sort()).toEqual(['index.js', 'package.json'])
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toEqual({ type: 'commonjs' })
})

test('nothing is left to be loaded on a first request, and no source map or path of this machine is in it', () => {
  const text = bundle.toString()
  expect(text).not.toMatch(/\bimport\(/)
  expect(text).not.toContain('sourceMappingURL')
  expect(text).not.toContain(process.cwd())
})

test('the same sources give the same bytes, so that an unchanged function is not deployed again', () => {
  const again = join(folder, 'again')
  bundleFunctions(again)
  expect(readFileSync(join(again, 'index.js')).equals(bundle)).toBe(true)
})
