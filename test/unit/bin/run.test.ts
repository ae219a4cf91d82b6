// Tests the launcher of npm scripts' programs: `node bin/run.cjs FILE ARGUMENTS`.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { checkout, OLD_NODE } from './checkout.ts'

/** Prints how the program was started. */
const PRINTS_ITS_START = `console.log(JSON.stringify({
  argv: process.argv.slice(1), flags: process.execArgv, isMain: import.meta.main, isFirst: process.ppid === Number(process.env.TEST_PID),
}))
process.exitCode = 4`

function run(root: string, { args = [], env = {} }: { readonly args?: readonly string[]; readonly env?: object } = {}) {
  return spawnSync(process.execPath, ['--max-semi-space-size=8', ...args, 'bin/run.cjs', 'cli/main.ts', 'a b'], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, TEST_PID: String(process.pid), ...env },
  })
}

test('on a suitable Node the program is the main module of the same process', () => {
  const root = checkout({ main: PRINTS_ITS_START })
  const { status, stdout, stderr } = run(root)
  expect({ status, stderr }).toEqual({ status: 4, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({
    argv: [path.join(root, 'cli/main.ts'), 'a b'],
    flags: ['--max-semi-space-size=8'],
    isMain: true,
    isFirst: true,
  })
})

test('on an old Node the program runs on the installed Node, with the same arguments and flags of Node', () => {
  const root = checkout({ main: PRINTS_ITS_START })
  const { status, stdout, stderr } = run(root, OLD_NODE)
  expect({ status, stderr }).toEqual({ status: 4, stderr: '' })
  expect(JSON.parse(stdout)).toEqual({
    argv: [path.join(root, 'cli/main.ts'), 'a b'],
    flags: ['--max-semi-space-size=8', ...OLD_NODE.args],
    isMain: true,
    isFirst: false,
  })
})

test('without a suitable Node the launcher exits with 2', () => {
  const { status, stderr } = run(checkout({ main: PRINTS_ITS_START, node: 'missing' }), OLD_NODE)
  expect(status).toBe(2)
  expect(stderr).toMatch(/^error: Sluice needs Node 24 or later, .*\n$/)
})

test.each([
  ['throws', 'throw new TypeError("of the program")', 1, /TypeError: of the program/],
  ['waits for what never comes', 'await new Promise(() => {})', 13, /unsettled top-level await/],
])('a program that %s ends as it would without the launcher', (_does, main, status, errors) => {
  const ended = run(checkout({ main }))
  expect(ended.status).toBe(status)
  expect(ended.stderr).toMatch(errors)
})
