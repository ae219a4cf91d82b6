// Folders and files that are on disk before the call returns.
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

test.runIf(existsSync('/dev/full'))('a full disk is told with the name of the file', () => {
  const file = path.join(temporaryDirectory(), 'file')
  symlinkSync('/dev/full', file)
  expect(() => DURABLE.append(file, 'more')).toThrow(
    expect.objectContaining({ code: 'ENOSPC', path: file, message: expect.stringContaining(file) }),
  )
})

test.runIf(process.platform === 'linux')(
  'a file that cannot be replaced is named, stays as it was, and has no draft',
  () => {
    const file = path.join(temporaryDirectory(), 'file')
    DURABLE.replace(file, 'as it was')
    const script = `import { DURABLE } from ${JSON.stringify(new URL('../../disk.ts', import.meta.url).href)}
process.on('SIGXFSZ', () => undefined)
try { DURABLE.replace(process.argv[1], 'x'.repeat(1e6)) } catch ({ code, path }) { process.stdout.write(code + ' ' + path) }`
    // As long as a full disk lets a file become: nothing.
    const { stdout } = spawnSync('sh', ['-c', 'ulimit -f 1; exec "$0" "$@"', process.execPath, '-e', script, file], {
      encoding: 'utf8',
    })
    expect(stdout).toBe(`EFBIG ${file}`)
    expect(readFileSync(file, 'utf8')).toBe('as it was')
    expect(readdirSync(path.dirname(file))).toEqual(['file'])
  },
)

test('a draft goes to no file that was there before, and to no place that a link leads to', () => {
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

test('what could not be made whole is not there', () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'file')
  // A text that cannot be written: the file had been made by then.
  expect(() => DURABLE.create(file, Symbol('no text') as unknown as string)).toThrow()
  expect(existsSync(file)).toBe(false)
})
