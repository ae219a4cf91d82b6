// Apps that `cdk init` has made, from its own templates and with the packages as published: in TypeScript the examples, with
// nothing changed, and in JavaScript the construct.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { packPackages } from '../../packages/pack.ts'
import { folderOfFile } from '../helpers/folders.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TEMPLATES = path.join(ROOT, 'node_modules/aws-cdk/lib/init-templates/app')
const INSTALLED = ['@aws-sdk', '@types/aws-lambda', '@types/node', 'aws-cdk-lib', 'constructs', 'undici-types', 'zod']

const folder = folderOfFile()

/** Modules of both apps. */
beforeAll(() => {
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
})

function run(home: string, ...args: readonly string[]) {
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: home, encoding: 'utf8' })
  return { status, stderr, stdout }
}

test('each example compiles unchanged in the app that cdk init makes', () => {
  const home = writeTemplate('typescript')
  cpSync(path.join(ROOT, 'examples'), path.join(home, 'lib'), { recursive: true })
  rmSync(path.join(home, 'lib/repository'), { recursive: true })
  const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
  expect(run(home, compiler, '--listFilesOnly').stdout).toContain(path.join('lib', 'pipe', 'stack.ts'))
  expect(run(home, compiler)).toEqual({ status: 0, stderr: '', stdout: '' })
})

test('the construct synthesizes in the app that cdk init makes in JavaScript', () => {
  const home = writeTemplate('javascript')
  const file = path.join(home, 'lib/shop-stack.js')
  const text = readFileSync(file, 'utf8')
  const service = `{ url: 'https://service.example', stage: 'test' }`
  const treasury = `    new Sluice(this, 'Treasury', { treasury: { service: ${service} } });\n`
  writeFileSync(
    file,
    `const { Sluice } = require('@sluice/infra');\n${text.replace(/(?<=super\(scope, id, props\);\n)/, treasury)}`,
  )
  // The command `cdk` runs the app with this variable.
  const env = { ...process.env, CDK_OUTDIR: path.join(home, 'cdk.out') }
  const { status, stderr } = spawnSync(process.execPath, ['bin/shop.js'], { cwd: home, encoding: 'utf8', env })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const written = readdirSync(path.join(home, 'cdk.out')).filter((name) => name.endsWith('.template.json'))
  expect(written).toHaveLength(5)
})

/** Writes the template as `cdk init` does, for an app with the name `shop`. @returns its folder */
function writeTemplate(language: 'javascript' | 'typescript'): string {
  const template = path.join(TEMPLATES, language)
  const target = path.join(folder, language)
  for (const file of readdirSync(template, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:json|js|ts)$/.test(file)) continue
    const text = readFileSync(path.join(template, file), 'utf8')
    const home = path.join(target, file.replaceAll('%name%', 'shop').replace('.template.', '.'))
    mkdirSync(path.dirname(home), { recursive: true })
    const named = text.replaceAll('%name%', 'shop').replaceAll('%name.PascalCased%', 'Shop')
    writeFileSync(home, named.replaceAll('%stackname%', 'ShopStack'))
  }
  symlinkSync(path.join(folder, 'node_modules'), path.join(target, 'node_modules'))
  return target
}
