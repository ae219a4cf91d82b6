// The command of a synthesis refuses a wrong treasury.json and unknown flags.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { folderOfFile } from '../helpers/folders.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = folderOfFile()

function synth(...args: string[]) {
  return spawnSync(process.execPath, ['infra/synth.ts', ...args], { cwd: root, encoding: 'utf8' })
}

test('a wrong treasury.json gives its findings, exit code 2, and no assembly', () => {
  const config = join(folder, 'treasury.json')
  writeFileSync(config, '{"service":{"url":5,"stage":"test"}}')
  const outDir = join(folder, 'none')
  expect(synth('--config', config, '--out', outDir)).toMatchObject({
    status: 2,
    stdout: '',
    stderr:
      'treasury.json: service.url: expected an http(s) address without /v2, query or credentials, such as "https://api.example.com"; got a number\n',
  })
  expect(existsSync(outDir)).toBe(false)
})

test('an unknown flag gives the usage and exit code 2', () => {
  const run = synth('--ouput', folder)
  expect(run).toMatchObject({ status: 2, stdout: '' })
  expect(run.stderr).toContain("'--ouput'")
  expect(run.stderr).toContain('--out DIR')
})

test('help starts with an example', () => {
  expect(synth('--help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^Example: node infra\/synth/),
  })
})

test('`cdk deploy` synthesizes with the same command', () => {
  const { app } = JSON.parse(readFileSync(join(root, 'cdk.json'), 'utf8'))
  expect(app).toBe('node bin/run.cjs infra/synth.ts')
})
