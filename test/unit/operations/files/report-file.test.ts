// The file of a page: for its owner only, and whole or as it was.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writePage } from '../../../../operations/files/report-file.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-page-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

test('a page and its folder are for their owner only', () => {
  const file = path.join(dir, 'reports', 'a.html')
  writePage(file, 'one')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
})

test('a page of before that others could read is replaced by one that they cannot', () => {
  const file = path.join(dir, 'a.html')
  writeFileSync(file, 'of before', { mode: 0o644 })
  writePage(file, 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['a.html'])
})

test('what a link leads to is written, and the link stays', () => {
  const [target, link] = [path.join(dir, 'target.html'), path.join(dir, 'link.html')]
  writeFileSync(target, 'of before')
  symlinkSync(target, link)
  writePage(link, 'three')
  expect(readFileSync(target, 'utf8')).toBe('three')
})
