// The examples in an app that `cdk init` has made: its own template, with nothing changed, and the packages as published.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { packPackages } from '../../packages/pack.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TEMPLATE = path.join(ROOT, 'node_modules/aws-cdk/lib/init-templates/app/typescript')
const INSTALLED = ['@aws-sdk', '@types/aws-lambda', '@types/node', 'aws-cdk-lib', 'constructs', 'undici-types']

const folder = mkdtempSync(path.join(tmpdir(), 'sluice-cdk-init-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('each example compiles unchanged in the app that cdk init makes', () => {
  writeTemplate(folder)
  cpSync(path.join(ROOT, 'examples'), path.join(folder, 'lib'), { recursive: true })
  packPackages(path.join(folder, 'node_modules/@sluice'))
  for (const name of INSTALLED) {
    const home = path.join(folder, 'node_modules', name)
    mkdirSync(path.dirname(home), { recursive: true })
    symlinkSync(path.join(ROOT, 'node_modules', name), home)
  }
  // The template's only test calls this function of Jest, which the repository does not install.
  mkdirSync(path.join(folder, 'node_modules/@types/jest'))
  const jest = 'declare function test(name: string, run: () => void): void\n'
  writeFileSync(path.join(folder, 'node_modules/@types/jest/index.d.ts'), jest)

  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  const { status, stdout } = spawnSync(process.execPath, [compiler, '--listFilesOnly'], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(stdout).toContain(path.join('lib', 'pipe', 'stack.ts'))
  expect(status).toBe(0)
  const built = spawnSync(process.execPath, [compiler], { cwd: folder, encoding: 'utf8' })
  expect({ status: built.status, stdout: built.stdout }).toEqual({ status: 0, stdout: '' })
})

/** Writes the template as `cdk init` does, for an app with the name `shop`. */
function writeTemplate(target: string): void {
  for (const file of readdirSync(TEMPLATE, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:json|js|ts)$/.test(file)) continue
    const text = readFileSync(path.join(TEMPLATE, file), 'utf8')
    const home = path.join(target, file.replaceAll('%name%', 'shop').replace('.template.', '.'))
    mkdirSync(path.dirname(home), { recursive: true })
    writeFileSync(home, text.replaceAll('%name%', 'shop').replaceAll('%name.PascalCased%', 'Shop'))
  }
}
