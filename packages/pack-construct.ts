// Packs the construct of infra: what it needs of infra and core, compiled, and the bundled functions. Node loads it as
// CommonJS, as most CDK apps and their tests do.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { bundleFunctions } from '../infra/bundle/bundle.ts'
import { billOfMaterials } from '../infra/bundle/third-parties.ts'
import { BILL_FILE } from '../infra/synthesize.ts'
import { COMMON_JS, compile, oldEntry, ROOT } from './compile.ts'
import { copyPage } from './packed-page.ts'

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
 * The manifest as published. The app brings the CDK, in the version that the templates are tested with or a later one. In
 * the repository the CDK stays a dependency of development, whose licences are judged as such.
 */
function packedManifest(manifest: Manifest): object {
  const { devDependencies = {} } = manifestOf('.')
  const peerDependencies = Object.fromEntries(
    ['aws-cdk-lib', 'constructs'].map((name) => [name, `^${devDependencies[name]}`]),
  )
  const entry = './infra/index.js'
  return { ...manifest, type: 'commonjs', ...oldEntry(entry), exports: entry, peerDependencies }
}

interface Manifest {
  readonly version: string
  readonly devDependencies?: Readonly<Record<string, string>>
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'))
}
