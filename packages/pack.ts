// `npm run packages -- FOLDER`: writes each package to FOLDER as it would be published, and its tarball, which npm, pnpm and
// yarn install. `--scope @company` names them @company/sluice, @company/sluice-infra and so on; an app installs them by an
// alias, because it imports them by the names that they have here. They are compiled to JavaScript, because Node runs no TypeScript below node_modules. Here in the repository
// the packages are used as they are written.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { COMMON_JS, compile, copyPage, oldEntry, ROOT } from './compile.ts'
import { packCommand } from './pack-command.ts'
import { packConstruct } from './pack-construct.ts'

const FOLDERS = ['schedules', 'embedded-aws', 'service-sandbox', 'client']
export const PACKAGES = [...FOLDERS, 'infra']
/** Packages that CommonJS can load too. */
const ALSO_COMMON_JS: ReadonlySet<string> = new Set(['client', 'schedules'])
const COMMON_JS_ENTRY = './cjs/index.js'

/** @throws Error with what the compiler says, where a package does not compile alone. */
export function packPackages(folder: string): void {
  for (const name of FOLDERS) packOne(name, path.join(folder, name))
  packConstruct(path.join(folder, 'infra'), path.join(folder, 'schedules'))
  for (const name of ['embedded-aws', 'infra']) bringGrammar(path.join(folder, name), path.join(folder, 'schedules'))
}

const GRAMMAR = '@sluice/schedules'

/** Puts the packed grammar into a package that imports it: an installer would ask a registry for it by its name. */
function bringGrammar(target: string, schedules: string): void {
  const own = path.join(target, 'grammar')
  cpSync(path.join(schedules, 'cjs'), own, { recursive: true })
  for (const file of filesOf(target, /\.(m?js|d\.ts)$/)) {
    const name = path.join(target, file)
    const text = readFileSync(name, 'utf8')
    const linked = `./${path.relative(path.dirname(name), path.join(own, 'index.js'))}`
    if (text.includes(GRAMMAR)) writeFileSync(name, text.replaceAll(GRAMMAR, linked))
  }
  const manifest = JSON.parse(readFileSync(path.join(target, 'package.json'), 'utf8'))
  delete manifest.dependencies[GRAMMAR]
  writeFileSync(path.join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

function packOne(name: string, target: string): void {
  const source = path.join(import.meta.dirname, name)
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const isCommonJs = ALSO_COMMON_JS.has(name)
  compile(name, target, {
    compilerOptions: {
      ...{ rootDir: source, outDir: isCommonJs ? path.join(target, 'cjs') : target },
      ...(isCommonJs && COMMON_JS),
    },
    include: [path.join(source, '**/*.ts')],
    exclude: [path.join(source, 'test')],
  })
  for (const file of filesOf(source, /\.mjs$|openapi\.json$/)) cpSync(path.join(source, file), path.join(target, file))
  cpSync(path.join(ROOT, 'LICENSE'), path.join(target, 'LICENSE'))
  const manifest = readFileSync(path.join(source, 'package.json'), 'utf8').replaceAll(/\.ts"/g, '.js"')
  writeFileSync(path.join(target, 'package.json'), isCommonJs ? withBothEntries(manifest) : manifest)
  if (isCommonJs) writeEntries(target)
  for (const file of filesOf(source, /\.md$/)) copyPage(path.join(source, file), path.join(target, file))
}

/** The ES module only passes on what the CommonJS module exports. */
function writeEntries(target: string): void {
  for (const file of ['index.js', 'index.d.ts']) {
    writeFileSync(path.join(target, file), `export * from '${COMMON_JS_ENTRY}'\n`)
  }
  writeFileSync(path.join(target, 'cjs/package.json'), `${JSON.stringify({ type: 'commonjs' })}\n`)
}

function withBothEntries(manifest: string): string {
  const exports = { import: './index.js', require: COMMON_JS_ENTRY }
  return `${JSON.stringify({ ...JSON.parse(manifest), ...oldEntry(COMMON_JS_ENTRY), exports }, null, 2)}\n`
}

/** Files that are published without a compiler. */
function filesOf(source: string, pattern: RegExp): readonly string[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (file) => !file.startsWith('test') && pattern.test(file),
  )
}

/** Names a packed package for publication. */
function publishIn(scope: string, target: string): void {
  const file = path.join(target, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  const name = `${scope}/${manifest.name.replace('@', '').replace('/', '-')}`
  writeFileSync(file, `${JSON.stringify({ ...manifest, name }, null, 2)}\n`)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [folder, option, scope] = process.argv.slice(2)
  const isScope = option === undefined || (option === '--scope' && /^@[a-z0-9-]+$/.test(scope ?? ''))
  if (folder === undefined || folder.startsWith('-') || !isScope) {
    console.error('npm run packages -- FOLDER [--scope @SCOPE]: give the folder to write the packages to')
    process.exitCode = 2
  } else {
    packPackages(path.resolve(folder))
    await packCommand(path.resolve(folder, 'sluice'))
    const folders = [...PACKAGES, 'sluice'].map((name) => `./${name}`)
    if (scope !== undefined) for (const each of folders) publishIn(scope, path.resolve(folder, each))
    const options = { cwd: folder, stdio: 'inherit', shell: process.platform === 'win32' } as const
    process.exitCode = spawnSync('npm', ['pack', '--silent', '--ignore-scripts', ...folders], options).status ?? 1
  }
}
