// Tests the start of the command on a Node that is new enough and on an old Node, with and without the Node that `npm ci`
// installs. Both are the Node of the tests: on the old Node, a script loads first and makes it claim to be v20.20.2.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeSources } from '../../../packages/bundle-command.ts'
import { checkout, OLD_NODE, packageOfThisMachine } from './checkout.ts'

const NEW_NODE: { readonly args: readonly string[]; readonly env: object } = { args: [], env: {} }

function start(
  root: string,
  { args, env }: typeof OLD_NODE | typeof NEW_NODE,
  words: readonly string[] = [],
  more = {},
) {
  return spawnSync(process.execPath, [...args, path.join(root, 'sluice'), ...words], {
    cwd: root,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...env, ...more },
  })
}

/** Prints on which Node the command runs, and with which arguments. */
const PRINTS_ITS_START = 'console.log(JSON.stringify([process.version, process.argv.slice(1)])); process.exitCode = 4'

test.each([
  ['new', NEW_NODE],
  ['old', OLD_NODE],
])('from a Node that is %s, the command runs on the new Node with its arguments and its exit code', (_age, node) => {
  const root = checkout({ main: PRINTS_ITS_START })
  const { status, stdout, stderr } = start(root, node, ['run', '--id', 'a b'])
  expect({ status, stderr }).toEqual({ status: 4, stderr: '' })
  expect(JSON.parse(stdout)).toEqual([process.version, [path.join(root, 'sluice'), 'run', '--id', 'a b']])
})

/** A checkout with a bundle of two sources, one of which `run` does not load. */
function builtCheckout(): string {
  const root = checkout({ main: "console.log('sources')" })
  mkdirSync(path.join(root, 'dist'))
  writeFileSync(path.join(root, 'dist/main.mjs'), "console.log('bundle')")
  writeFileSync(path.join(root, 'cli/other.ts'), '')
  const [main, other] = ['cli/main.ts', 'cli/other.ts'].map(
    (file) => [file, statSync(path.join(root, file)).mtimeMs] as const,
  )
  if (main === undefined || other === undefined) throw new TypeError('two files have two times')
  writeSources(root, 'all', [main, other])
  writeSources(root, 'run', [main])
  return root
}

test('the bundle runs while its sources are as they were', () => {
  expect(start(builtCheckout(), NEW_NODE, ['run']).stdout).toBe('bundle\n')
})

test.each([
  ['is newer', (file: string) => utimesSync(file, new Date(), new Date(Date.now() + 1_000))],
  ['is older, such as one from a backup', (file: string) => utimesSync(file, new Date(), new Date(1e12))],
  ['is gone', (file: string) => rmSync(file)],
])('the sources run where one of the called command %s', (_state, change) => {
  const root = builtCheckout()
  change(path.join(root, 'cli/other.ts'))
  expect(start(root, NEW_NODE, ['--json', 'runs']).stdout).toBe('sources\n')
  // This command does not load it.
  expect(start(root, NEW_NODE, ['--json', 'run']).stdout).toBe('bundle\n')
})

test('the sources run where a bundle was not written to its end', () => {
  const root = builtCheckout()
  writeFileSync(path.join(root, 'dist/sources/all.json'), '[["cli/main.ts",')
  expect(start(root, NEW_NODE).stdout).toBe('sources\n')
})

test('a user without a home, such as one of a container, gets the home /', () => {
  const root = checkout({ main: 'console.log(process.env.HOME)' })
  const homeless = path.join(root, 'homeless.cjs')
  writeFileSync(homeless, "require('node:os').homedir = () => { throw new Error('ENOENT') }")
  expect(start(root, { args: ['--require', homeless], env: {} }).stdout).toBe('/\n')
})

test('if no Node is new enough, one sentence says so, with the remedy', () => {
  const root = checkout({ node: 'missing' })
  const { status, stdout, stderr } = start(root, OLD_NODE)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(
    `error: Sluice needs Node 24 or later, and this is v20.20.2: run "npm ci" in ${root}, which installs one (without --omit=optional)\n`,
  )
})

test('the package on an old Node asks for a newer one, because it brings none', () => {
  const root = checkout({ node: 'missing' })
  rmSync(path.join(root, 'cli'), { recursive: true })
  const { status, stdout, stderr } = start(root, OLD_NODE)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(
    'error: Sluice needs Node 24 or later, and this is v20.20.2: install Node 24 yourself, and put it first on the PATH\n',
  )
})

test.each(['freebsd', 'musl'])('if npm has no Node for the system (%s), the sentence says so', (system) => {
  const { status, stderr } = start(checkout({ node: 'missing' }), OLD_NODE, [], { SYSTEM: system })
  expect(status).toBe(2)
  expect(stderr).toBe(
    'error: Sluice needs Node 24 or later, and this is v20.20.2; npm has no Node for this platform: install Node 24 yourself, and put it first on the PATH\n',
  )
})

test('if the installed Node cannot be started, the sentence names it', () => {
  const root = checkout({ node: 'broken' })
  const { status, stderr } = start(root, OLD_NODE)
  expect(status).toBe(2)
  expect(stderr).toBe(
    `error: Sluice needs Node 24 or later, and this is v20.20.2, and the Node in ${path.join(root, 'node_modules', packageOfThisMachine(), 'bin/node')} cannot be started (EACCES): install Node 24 yourself, and put it first on the PATH\n`,
  )
})

test('before npm ci, one sentence asks for it', () => {
  const root = checkout({ hasPackages: false })
  const { status, stderr } = start(root, NEW_NODE)
  expect(status).toBe(2)
  expect(stderr).toBe(`error: the packages of Sluice are not installed: run "npm ci" in ${root}\n`)
})

test('a signal to the old Node reaches the command that it has started', async () => {
  const main = `process.on('SIGTERM', () => { console.log('signalled'); process.exit(130) }); setInterval(() => {}, 1000); console.log('up')`
  const root = checkout({ main })
  const child = spawn(process.execPath, [...OLD_NODE.args, path.join(root, 'sluice')], {
    cwd: root,
    env: { PATH: process.env.PATH, ...OLD_NODE.env },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
    if (output === 'up\n') child.kill('SIGTERM')
  })
  expect(await ended).toEqual([130, null])
  expect(output).toBe('up\nsignalled\n')
})

test('if a signal ends the command, the same signal ends the old Node that started the command', () => {
  const root = checkout({ main: `process.kill(process.pid, 'SIGKILL')` })
  expect(start(root, OLD_NODE)).toMatchObject({ status: null, signal: 'SIGKILL' })
})

/** Starts the command by a link in a folder of the PATH. `node`: the script that the PATH has under that name. */
function startFromPath(root: string, node: string, words: readonly string[]) {
  const folder = path.join(root, 'on the path')
  mkdirSync(folder)
  symlinkSync(path.join(root, 'bin/sluice'), path.join(folder, 'sluice'))
  writeFileSync(path.join(folder, 'node'), `#!/bin/sh\n${node}\n`, { mode: 0o755 })
  const env = { PATH: `${folder}:${process.env.PATH}` }
  return spawnSync('sluice', words, { cwd: tmpdir(), encoding: 'utf8', input: 'from a pipe', env })
}

const PRINTS_ITS_INPUT = `process.stdin.on('data', (text) => console.log(String(text)))`

test('from the PATH, the command runs on the installed Node, and no other Node starts', () => {
  const root = checkout({ main: `${PRINTS_ITS_START}; ${PRINTS_ITS_INPUT}` })
  const { status, stdout, stderr } = startFromPath(root, 'exit 9', ['run', '--id', 'a b'])
  expect({ status, stderr }).toEqual({ status: 4, stderr: '' })
  const [start = '', input] = stdout.split('\n')
  expect(JSON.parse(start)).toEqual([process.version, [path.join(root, 'on the path/sluice'), 'run', '--id', 'a b']])
  expect(input).toBe('from a pipe')
})

test('from the PATH, the command runs on the Node of the PATH if none is installed', () => {
  const root = checkout({ main: PRINTS_ITS_START, node: 'missing' })
  const { status, stdout } = startFromPath(root, `exec '${process.execPath}' "$@"`, ['policies'])
  expect(status).toBe(4)
  expect(JSON.parse(stdout)).toEqual([process.version, [path.join(root, 'on the path/sluice'), 'policies']])
})

test('the file that its package names for the command can be started', () => {
  const { bin } = JSON.parse(readFileSync('bin/package.json', 'utf8'))
  const command = path.resolve('bin', bin.sluice)
  const { stdout, status } = spawnSync(command, ['--version'], { cwd: tmpdir(), encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '0.4.0\n', status: 0 })
})

// This machine's own Node, if it is old.
const own = '/usr/bin/node'
const isOld =
  existsSync(own) &&
  Number(spawnSync(own, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0]) < 24
test.runIf(isOld)('the old Node of this machine starts the command', () => {
  const { stdout } = spawnSync(own, [path.resolve('bin/sluice.cjs'), '--version'], { cwd: tmpdir(), encoding: 'utf8' })
  expect(stdout).toBe('0.4.0\n')
})
