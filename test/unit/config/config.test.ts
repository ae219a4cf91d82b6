import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, loadTreasury, parseTreasury } from '../../../infra/config.ts'

const folder = mkdtempSync(join(tmpdir(), 'sluice-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function findingsOf(attempt: () => unknown): readonly string[] {
  try {
    attempt()
  } catch (error) {
    if (error instanceof ConfigError) return error.findings
    throw error
  }
  return []
}

test('the file at the root is accepted as it is', () => {
  expect(loadTreasury().service).toEqual({
    url: 'https://api.example.com',
    stage: 'test',
    keySecret: 'sluice/service-key',
  })
})

test('what is left out has its default', () => {
  const treasury = parseTreasury('{"service":{"url":"https://example.com","stage":"live"},"timing":{"attempts":2}}')
  expect(treasury.service.keySecret).toBe('sluice/service-key')
  expect(treasury.timing).toMatchObject({ attempts: 2, tokenLifeSeconds: 30, leewaySeconds: 60 })
  expect(treasury.alarms).toBeUndefined()
})

test('every mistake is found at once, each in a line with its path', () => {
  const text = '{"service":{"url":5,"stage":"prod"},"timing":{"attempts":99},"timng":{}}'
  expect(findingsOf(() => parseTreasury(text))).toEqual([
    'treasury.json: service.url: expected an http(s) address without /v2, query or credentials, such as "https://api.example.com"; got a number',
    'treasury.json: service.stage: expected live or test; got "prod"',
    'treasury.json: timing.attempts: expected a whole number from 1 to 20; got 99',
    'treasury.json: timng: unknown key; did you mean "timing"?',
  ])
})

test.each([
  'https://user:word@service.example',
  'https://service.example/v2',
  'https://service.example/?a=b',
  'service.example',
])('the address %s is refused', (url) => {
  const [finding, ...others] = findingsOf(() => parseTreasury(JSON.stringify({ service: { url, stage: 'test' } })))
  expect(finding).toContain('service.url: expected an http(s) address without /v2, query or credentials')
  expect(finding).not.toContain('word')
  expect(others).toEqual([])
})

test('findings call the file by its own name', () => {
  const file = join(folder, 'other.json')
  writeFileSync(file, '{"service":1}')
  expect(findingsOf(() => loadTreasury(file))).toEqual(['other.json: service: expected an object; got a number'])
})

test('a key given twice is refused, because an editor and a parser may read different ones', () => {
  const text = '{"service":{"url":"https://a.example","stage":"test","stage":"live"}}'
  expect(findingsOf(() => parseTreasury(text))).toEqual([
    'treasury.json: the key "stage" is given twice (line 1, column 54)',
  ])
})

test('a missing file names itself and the flag', () => {
  const file = join(folder, 'absent.json')
  expect(findingsOf(() => loadTreasury(file))).toEqual([`${file}: no such file; name one with --config FILE`])
})

test('a folder is not a file', () => {
  expect(findingsOf(() => loadTreasury(folder))).toEqual([`${folder}: expected a file; name one with --config FILE`])
})

test('a file over one mebibyte is not read', () => {
  const file = join(folder, 'large.json')
  writeFileSync(file, ' '.repeat(1024 * 1024 + 1))
  expect(findingsOf(() => loadTreasury(file))).toEqual([`${file}: expected at most 1048576 bytes; got 1048577`])
})
