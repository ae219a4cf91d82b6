// Folders and files that are on disk before the call returns.
import { existsSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { DURABLE } from '../../disk.ts'
import { temporaryDirectory } from './executed.ts'

test('a folder is made with those above it that are missing, for its owner only', () => {
  const directory = temporaryDirectory()
  const folder = path.join(directory, 'a/b/c')
  DURABLE.makeFolder(folder)
  DURABLE.makeFolder(folder)
  for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(path.join(directory, made)).mode & 0o777).toBe(0o700)
})

test('what is no folder, or lies below a file, is an error of the system', () => {
  const file = path.join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  expect(() => DURABLE.makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  expect(() => DURABLE.makeFolder(path.join(file, 'a/b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

// Node's own recursive mkdir never returns there.
test.runIf(existsSync('/proc/self'))('a folder that /proc refuses is an error at once', () => {
  expect(() => DURABLE.makeFolder('/proc/sluice-none/a')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

describe.runIf(existsSync('/dev/full'))('a full disk', () => {
  test.each([
    ['append', (file: string) => DURABLE.append(file, 'more')],
    ['replace', (file: string) => DURABLE.replace(file, 'more')],
  ] as const)('is told with the name of the file: %s', (how, write) => {
    const file = path.join(temporaryDirectory(), 'file')
    symlinkSync('/dev/full', how === 'append' ? file : `${file}.new`)
    expect(() => write(file)).toThrow(
      expect.objectContaining({ code: 'ENOSPC', path: file, message: expect.stringContaining(file) }),
    )
  })
})

test('what could not be made whole is not there', () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'file')
  // A text that cannot be written: the file had been made by then.
  expect(() => DURABLE.create(file, Symbol('no text') as unknown as string)).toThrow()
  expect(existsSync(file)).toBe(false)
})
