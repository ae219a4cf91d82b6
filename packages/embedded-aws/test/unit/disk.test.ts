// Folders and files are on disk before the call returns.
import { spawnSync } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { DURABLE } from '../../disk.ts'
import { temporaryDirectory } from './executed.ts'

test('a folder is created with its missing parents, for its owner only', () => {
  const directory = temporaryDirectory()
  const folder = path.join(directory, 'a/b/c')
  DURABLE.makeFolder(folder)
  DURABLE.makeFolder(folder)
  for (const made of ['a', 'a/b', 'a/b/c']) expect(statSync(path.join(directory, made)).mode & 0o777).toBe(0o700)
})

test('a path that is a file, or lies below a file, is a system error', () => {
  const file = path.join(temporaryDirectory(), 'file')
  writeFileSync(file, '')
  expect(() => DURABLE.makeFolder(file)).toThrow(expect.objectContaining({ code: 'EEXIST' }))
  expect(() => DURABLE.makeFolder(path.join(file, 'a/b'))).toThrow(expect.objectContaining({ code: 'ENOTDIR' }))
})

// Node's own recursive mkdir never returns for such a path.
test.runIf(existsSync('/proc/self'))('a folder that /proc refuses is an immediate error', () => {
  expect(() => DURABLE.makeFolder('/proc/sluice-none/a')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})

test.runIf(existsSync('/dev/full'))('a full disk is reported with the name of the file', () => {
  const file = path.join(temporaryDirectory(), 'file')
  symlinkSync('/dev/full', file)
  expect(() => DURABLE.append(file, 'more')).toThrow(
    expect.objectContaining({ code: 'ENOSPC', path: file, message: expect.stringContaining(file) }),
  )
})

test.runIf(process.platform === 'linux')(
  'a file that cannot be replaced is named, stays unchanged, and leaves no draft',
  () => {
    const file = path.join(temporaryDirectory(), 'file')
    DURABLE.replace(file, 'unchanged')
    const script = `import { DURABLE } from ${JSON.stringify(new URL('../../disk.ts', import.meta.url).href)}
process.on('SIGXFSZ', () => undefined)
try { DURABLE.replace(process.argv[1], 'x'.repeat(1e6)) } catch ({ code, path }) { process.stdout.write(code + ' ' + path) }`
    // The limit of the file size simulates a full disk.
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '-e', script, file], {
      encoding: 'utf8',
    })
    expect(stdout).toBe(`EFBIG ${file}`)
    expect(readFileSync(file, 'utf8')).toBe('unchanged')
    expect(readdirSync(path.dirname(file))).toEqual(['file'])
  },
)

test('a draft never uses an existing file, and never follows a link', () => {
  const folder = temporaryDirectory()
  const file = path.join(folder, 'file')
  const elsewhere = path.join(folder, 'elsewhere')
  writeFileSync(`${file}.new`, '')
  symlinkSync(elsewhere, file)
  const planted = openSync(`${file}.new`, 'r')
  DURABLE.replace(file, 'secret')
  expect(fstatSync(planted).size).toBe(0)
  closeSync(planted)
  expect(existsSync(elsewhere)).toBe(false)
  expect(lstatSync(file).isFile()).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['file', 'file.new'])
})

test('a file that could not be written whole is removed', () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'file')
  // This text cannot be written, and the error comes after the file was created.
  expect(() => DURABLE.create(file, Symbol('no text') as unknown as string)).toThrow()
  expect(existsSync(file)).toBe(false)
})
