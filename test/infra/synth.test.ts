// A synthesis gives an assembly that cdk-nag accepts, or the findings of a wrong treasury.json.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'sluice-synth-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/**
 * The command without CDK's validation of templates, which takes seconds. `npm run check` runs `npm run synth` with it.
 */
function synth(...args: string[]) {
  return spawnSync(process.execPath, ['infra/synth.ts', ...args], { cwd: root, encoding: 'utf8' })
}

test('synth writes a cloud assembly that cdk-nag accepts', () => {
  const outDir = join(folder, 'cdk.out')
  const run = synth('--out', outDir)
  expect(run).toMatchObject({ status: 0, stdout: '', stderr: expect.stringMatching(/: written in [0-9.]+ s\n$/) })
  // Each stage is announced when it begins.
  const stages = ['synth: bundles', 'synth: builds', 'synth: checks the templates by cdk-nag', 'cdk-nag: no rule of']
  const lines = run.stderr.trim().split('\n')
  expect(lines.map((line, at) => line.startsWith(stages[at] ?? outDir))).toEqual([true, true, true, true, true])
  const report = JSON.parse(readFileSync(join(outDir, 'cdk-nag.json'), 'utf8'))
  expect(report).toMatchObject({ pack: 'AwsSolutions', broken: [] })
  expect(report.setAside).toContainEqual({
    path: 'SluiceTriggers/DeadLetters',
    rule: expect.stringContaining('AwsSolutions-SQS3'),
    why: expect.stringMatching(/\w{3}/),
  })

  const { artifacts } = JSON.parse(readFileSync(join(outDir, 'manifest.json'), 'utf8'))
  const stacks = Object.keys(artifacts).filter((id) => artifacts[id].type === 'aws:cloudformation:stack')
  expect(stacks.sort()).toEqual(['SluiceMonitoring', 'SluiceState', 'SluiceTriggers', 'SluiceWorkflow'])
  expect(readdirSync(outDir).filter((name) => name.startsWith('asset.'))).toHaveLength(1)
})

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
