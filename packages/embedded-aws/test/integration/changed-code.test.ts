// Code that was added or changed after the start of the embedded AWS: no worker runs it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startEmbeddedAws } from '../../embedded-aws.ts'
import { oneTask, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import { runToEnd } from './fixture/booted.ts'

/** Calls `beforeBoot` with the folder of the code. */
async function booted(code: Readonly<Record<string, string>>, beforeBoot: (codeDir: string) => void = () => undefined) {
  const { directory, remove } = temporaryDirectory()
  const fixture = { functions: { say: {} }, code, machines: { Say: oneTask('say') } }
  const assemblyDir = await writeAssembly(path.join(directory, 'cdk.out'), fixture)
  const codeDir = path.join(assemblyDir, 'asset.code')
  beforeBoot(codeDir)
  const aws = await startEmbeddedAws({ assemblyDir, stateDir: path.join(directory, 'state') })
  onTestFinished(async () => {
    await aws.stop()
    remove()
  })
  return { aws, codeDir, mark: path.join(directory, 'mark') }
}

const marking = (mark: string) => `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'ran')`
const SAY = "exports.say = async () => 'unchanged'"

test.each([
  ['its file', { 'index.js': SAY }, 'index.js'],
  ['a file that it loads', { 'index.js': "exports.say = require('./part.cjs').say", 'part.cjs': SAY }, 'part.cjs'],
  [
    'an ES module',
    { 'package.json': '{"type":"module"}', 'index.js': "export const say = async () => 'unchanged'" },
    'index.js',
  ],
])('a function whose code was changed after the boot fails and does not run: %s', async (_name, code, file) => {
  const { aws, codeDir, mark } = await booted(code)
  const change = `process.getBuiltinModule('node:fs').writeFileSync(${JSON.stringify(mark)}, 'ran')`
  writeFileSync(path.join(codeDir, file), `${change}\n${code[file as keyof typeof code]}`)
  const { status, error, cause } = await runToEnd(aws, 'Say')
  expect([status, error]).toEqual(['FAILED', 'Runtime.CodeChanged'])
  expect(JSON.stringify(cause)).toContain(`${file} has changed since the embedded AWS was started`)
  expect(existsSync(mark)).toBe(false)
})

test('a package outside the folder of the code is not found', async () => {
  const plant = (folder: string, text: string) => {
    mkdirSync(path.join(folder, 'node_modules/planted'), { recursive: true })
    writeFileSync(path.join(folder, 'node_modules/planted/index.js'), text)
  }
  const say = "exports.say = async () => { try { return require('planted') } catch ({ code }) { return code } }"
  const { aws, mark } = await booted({ 'index.js': say }, (codeDir) => {
    plant(path.dirname(codeDir), marking(path.join(codeDir, '../../mark')))
  })
  expect(await runToEnd(aws, 'Say')).toMatchObject({ output: 'MODULE_NOT_FOUND' })
  expect(existsSync(mark)).toBe(false)
})

test('a package in the folder of the code is found', async () => {
  const say = "exports.say = async () => require('own')"
  const { aws } = await booted({ 'index.js': say }, (codeDir) => {
    mkdirSync(path.join(codeDir, 'node_modules/own'), { recursive: true })
    writeFileSync(path.join(codeDir, 'node_modules/own/index.js'), "module.exports = 'found'")
  })
  expect(await runToEnd(aws, 'Say')).toMatchObject({ output: 'found' })
})
