// A synthesis gives an assembly that cdk-nag accepts, and a bundle that a debugger can read.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { BundleFile } from '../../core/contract/states.ts'
import { bundleFunctions } from '../../infra/bundle/bundle.ts'
import { folderOfFile } from '../helpers/folders.ts'

interface Sources {
  readonly sourceRoot: string
  readonly sources: readonly string[]
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = folderOfFile()

test('synth writes a cloud assembly that cdk-nag accepts', () => {
  const outDir = join(folder, 'cdk.out')
  const run = spawnSync(process.execPath, ['infra/synth.ts', '--out', outDir], { cwd: root, encoding: 'utf8' })
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

test('for a debugger the bundle is readable, and its source map leads to the files of this repository', () => {
  const readable = join(folder, 'readable')
  bundleFunctions(readable, { isForDebugger: true })
  const text = readFileSync(join(readable, `${BundleFile.Movements}.cjs`), 'utf8')
  expect(text).toContain('function placeOrder(')
  const [, map = ''] = /sourceMappingURL=data:application\/json;base64,(.+)/.exec(text) ?? []
  const { sourceRoot, sources } = JSON.parse(Buffer.from(map, 'base64').toString()) as Sources
  expect(sources.map((source) => new URL(source, sourceRoot).href)).toContain(
    new URL('../../functions/order/order.ts', import.meta.url).href,
  )
})
