// Tests the file of a page: readable by its owner only, and written as a whole or left unchanged.
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { writePage } from '../../../../operations/files/report-file.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

let dir: string
beforeEach(() => {
  dir = temporaryFolder()
})

test('only their owner can read a page and its folder', () => {
  const file = path.join(dir, 'reports', 'a.html')
  writePage(file, 'one')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700)
})

test('a page that others could read is replaced by one that they cannot read', () => {
  const file = path.join(dir, 'a.html')
  writeFileSync(file, 'of before', { mode: 0o644 })
  writePage(file, 'two')
  expect(readFileSync(file, 'utf8')).toBe('two')
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(readdirSync(dir)).toEqual(['a.html'])
})

test('a link stays, and its target is written', () => {
  const [target, link] = [path.join(dir, 'target.html'), path.join(dir, 'link.html')]
  writeFileSync(target, 'of before')
  symlinkSync(target, link)
  writePage(link, 'three')
  expect(readFileSync(target, 'utf8')).toBe('three')
})
