// Packs the construct of infra: what it needs of infra and core, compiled, and the bundled functions. Node loads it as
// CommonJS, as most CDK apps and their tests do. The declarations of treasury.json are plain TypeScript, from the JSON
// Schema of the contract, so that the published types need no schema library.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as z from 'zod/mini'
import { treasury } from '../core/contract/treasury.ts'
import { describeFields } from '../core/treasury/field-descriptions.ts'
import { bundleFunctions } from '../infra/bundle/bundle.ts'
import { billOfMaterials } from '../infra/bundle/third-parties.ts'
import { BILL_FILE } from '../infra/synthesize.ts'
import { COMMON_JS, compile, copyPage, oldEntry, READ_FROM_DISK, ROOT } from './compile.ts'

const ENTRY = './infra/index.js'

/** `schedules`: the folder of the packed grammar. @throws Error with what the compiler or esbuild says */
export function packConstruct(target: string, schedules: string): void {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  compile('infra', target, {
    compilerOptions: {
      ...{ rootDir: ROOT, outDir: target, allowJs: true, ...COMMON_JS },
      paths: { '@sluice/schedules': [path.join(schedules, 'index.d.ts')] },
    },
    // The compiler follows the imports of the entry.
    files: [path.join(ROOT, 'infra/index.ts')],
    include: [],
  })
  keepPublicTypes(target)
  const manifest = manifestOf('infra')
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(packedManifest(manifest), null, 2)}\n`)
  const thirdParties = bundleFunctions(path.join(target, 'bundles'))
  writeFileSync(path.join(target, BILL_FILE), billOfMaterials(thirdParties, manifest.version))
  cpSync(path.join(ROOT, 'LICENSE'), path.join(target, 'LICENSE'))
  // Alarms name their sections of the runbook.
  mkdirSync(path.join(target, 'docs'))
  copyPage(path.join(ROOT, 'docs/runbook.md'), path.join(target, 'docs/runbook.md'))
  for (const file of ['README.md', 'CHANGELOG.md']) copyPage(path.join(ROOT, 'infra', file), path.join(target, file))
}

/**
 * Leaves the declarations that the entry reaches, and none of the schema library: TypeScript by `moduleResolution: node10`
 * does not find its types.
 */
function keepPublicTypes(target: string): void {
  writeFileSync(path.join(target, 'core/contract/treasury.d.ts'), treasuryDeclarations())
  const kept = new Set<string>()
  const keep = (file: string) => {
    if (kept.has(file)) return
    kept.add(file)
    const text = readFileSync(file, 'utf8').split(STATEMENT).filter(isWithoutSchemas).join('')
    writeFileSync(file, text)
    for (const [, linked = ''] of text.matchAll(/from '(\.[^']*)\.[jt]s'/g)) {
      keep(path.join(path.dirname(file), `${linked}.d.ts`))
    }
  }
  keep(path.join(target, oldEntry(ENTRY).types))
  for (const name of readdirSync(target, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(target, name)
    if (name.endsWith('.d.ts') && !kept.has(file)) rmSync(file)
  }
}

/** Before each statement of a declaration file, with its comment. */
const STATEMENT = /(?<=[;}]\n)(?=[^\s}])/

function isWithoutSchemas(statement: string): boolean {
  return !/\bz\.|'zod/.test(statement.replace(/\/\*\*[\s\S]*?\*\//g, ''))
}

/**
 * The manifest as published. The app brings the CDK, in the version that the templates are tested with or a later one. In
 * the repository the CDK stays a dependency of development, whose licences are judged as such.
 */
function packedManifest(manifest: Manifest): object {
  const { devDependencies = {} } = manifestOf('.')
  const peerDependencies = Object.fromEntries(
    ['aws-cdk-lib', 'constructs'].map((name) => [name, `^${devDependencies[name]}`]),
  )
  return { ...manifest, type: 'commonjs', ...oldEntry(ENTRY), exports: ENTRY, peerDependencies, ...READ_FROM_DISK }
}

interface Manifest {
  readonly version: string
  readonly devDependencies?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))
}

interface Schema {
  readonly type?: string
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly description?: string
}

function treasuryDeclarations(): string {
  const declare = (name: string, io: 'input' | 'output') =>
    `export type ${name} = ${typeOf(describeFields(z.toJSONSchema(treasury, { io }) as never) as Schema)};\n`
  return `${declare('Treasury', 'output')}/** The file as people write it, where a field with a default may be absent. */
${declare('TreasuryInput', 'input')}`
}

/** @throws TypeError for a form that the contract has not used until now */
function typeOf(schema: Schema): string {
  const { additionalProperties, items, properties, type } = schema
  const options = schema.oneOf ?? schema.anyOf
  if (options !== undefined) return `(${options.map(typeOf).join(' | ')})`
  if ('const' in schema) return JSON.stringify(schema.const)
  if (schema.enum !== undefined) return `(${schema.enum.map((value) => JSON.stringify(value)).join(' | ')})`
  if (type === 'array' && items !== undefined) return `readonly ${typeOf(items)}[]`
  if (type === 'object' && properties !== undefined) return fieldsOf(properties, schema.required ?? [])
  if (type === 'object' && typeof additionalProperties === 'object') {
    return `{ readonly [name: string]: ${typeOf(additionalProperties)} }`
  }
  if (type === 'integer') return 'number'
  if (type === 'string' || type === 'number' || type === 'boolean') return type
  throw new TypeError(`no plain type for a schema of ${Object.keys(schema).join(', ')}`)
}

function fieldsOf(properties: Readonly<Record<string, Schema>>, required: readonly string[]): string {
  const fields = Object.entries(properties).map(([name, field]) => {
    const text = field.description === undefined ? '' : `/** ${field.description} */\n`
    const value = typeOf(field)
    return required.includes(name)
      ? `${text}readonly ${JSON.stringify(name)}: ${value};`
      : `${text}readonly ${JSON.stringify(name)}?: ${value} | undefined;`
  })
  return `{\n${fields.join('\n')}\n}`
}
