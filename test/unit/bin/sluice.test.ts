// The start of the command on other Nodes: too old, with and without the one that `npm ci` brings.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'

// Each test starts several processes, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 })

/** A Node that says it is an old one. What it starts is itself again. */
const OLD = ['--require', './old.cjs']

let dir: string
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'sluice-bin-'))
  writeFileSync(
    path.join(dir, 'old.cjs'),
    `Object.defineProperty(process.versions, 'node', { value: '20.20.2' })
     Object.defineProperty(process, 'version', { value: 'v20.20.2' })
     Object.defineProperty(process, 'execPath', { value: '/usr/bin/node' })`,
  )
})
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** A copy of the repo as far as the start is concerned. `main` stands for the command. */
function repo(name: string, { main = '', hasNode = true, hasPackages = true } = {}): string {
  const root = path.join(dir, name)
  for (const folder of ['bin', 'cli']) mkdirSync(path.join(root, folder), { recursive: true })
  for (const file of ['bin/sluice.cjs', 'bin/compile-cache.cjs']) copyFileSync(file, path.join(root, file))
  writeFileSync(path.join(root, 'package.json'), '{"type":"module"}')
  writeFileSync(path.join(root, 'cli/main.ts'), main)
  if (hasPackages) mkdirSync(path.join(root, 'node_modules/commander'), { recursive: true })
  if (hasNode) {
    mkdirSync(path.join(root, 'node_modules/node/bin'), { recursive: true })
    symlinkSync(process.execPath, path.join(root, 'node_modules/node/bin/node'))
  }
  symlinkSync(path.join(root, 'bin/sluice.cjs'), path.join(root, 'sluice'))
  return root
}

function start(root: string, nodeArgs: readonly string[], ...args: string[]) {
  return spawnSync(process.execPath, [...nodeArgs, path.join(root, 'sluice'), ...args], { cwd: dir, encoding: 'utf8' })
}

const TELL =
  'console.log(JSON.stringify([process.version.startsWith("v2"), process.argv.slice(1)])); process.exitCode = 4'

test.each([
  ['new', []],
  ['old', OLD],
])('on a Node that is %s the command gets its arguments, its name and its exit code', (age, nodeArgs) => {
  const root = repo(`told-${age}`, { main: TELL })
  const { status, stdout, stderr } = start(root, nodeArgs, 'run', '--id', 'a b')
  expect({ status, stderr }).toEqual({ status: 4, stderr: '' })
  expect(JSON.parse(stdout)).toEqual([true, [path.join(root, 'sluice'), 'run', '--id', 'a b']])
})

test('without a Node that is new enough there is one plain message', () => {
  const root = repo('bare', { hasNode: false })
  const { status, stdout, stderr } = start(root, OLD)
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' })
  expect(stderr).toBe(
    `error: sluice cannot run: it needs Node 24 or later, and this is v20.20.2\nnext:  npm ci in ${root}, which brings what it needs\n`,
  )
})

test('before npm ci there is one plain message', () => {
  const { status, stderr } = start(repo('unpacked', { hasPackages: false }), [])
  expect(status).toBe(2)
  expect(stderr).toMatch(/^error: sluice cannot run: its packages are not installed\nnext: {2}npm ci in /)
})

test('a signal reaches the command that an old Node has started', async () => {
  const main = `process.on('SIGTERM', () => { console.log('told'); process.exit(130) }); setInterval(() => {}, 1000); console.log('up')`
  const child = spawn(process.execPath, [...OLD, path.join(repo('signalled', { main }), 'sluice')], { cwd: dir })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = once(child, 'exit')
  let said = ''
  child.stdout.on('data', (chunk) => {
    said += chunk
    if (said === 'up\n') child.kill('SIGTERM')
  })
  expect(await ended).toEqual([130, null])
  expect(said).toBe('up\ntold\n')
})

test('the file of package.json is there, and can be started', () => {
  const { stdout, status } = spawnSync(path.resolve('bin/sluice.cjs'), ['--version'], { cwd: dir, encoding: 'utf8' })
  expect({ stdout, status }).toEqual({ stdout: '0.2.0\n', status: 0 })
})

// The Node of this machine itself, where it is an old one.
const own = '/usr/bin/node'
const isOld =
  existsSync(own) &&
  Number(spawnSync(own, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.')[0]) < 24
test.runIf(isOld)('the old Node of this machine starts it', () => {
  const { stdout } = spawnSync(own, [path.resolve('bin/sluice.cjs'), '--version'], { cwd: dir, encoding: 'utf8' })
  expect(stdout).toBe('0.2.0\n')
})
