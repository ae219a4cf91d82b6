// Tests the files that an installation depends on: package.json, the lock file and .npmrc.
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly version: string
  readonly integrity?: string
  readonly resolved?: string
  readonly inBundle?: boolean
  readonly link?: boolean
  readonly hasInstallScript?: boolean
  readonly os?: string
  readonly cpu?: string
  readonly libc?: readonly string[]
}

const {
  optionalDependencies,
  scripts,
}: Record<string, Record<string, string>> = JSON.parse(readFileSync('package.json', 'utf8'))
const { packages }: { readonly packages: Readonly<Record<string, LockedPackage>> } = JSON.parse(
  readFileSync('package-lock.json', 'utf8'),
)
/** Packages from a registry. The packages of this repository are linked. */
const installed = Object.entries(packages).filter(
  ([place, { link }]) => place.startsWith('node_modules/') && link !== true,
)
const nodes = Object.entries(optionalDependencies ?? {})

test('every npm script starts its program by the launcher, which finds a suitable Node', () => {
  const stray = Object.entries(scripts ?? {}).flatMap(([name, script]) =>
    script
      .split(' && ')
      .filter((command) => !isAnotherScript(command) && !isLaunched(command))
      .map((command) => `${name}: ${command}`),
  )
  expect(stray).toEqual([])
  expect(Object.keys(scripts ?? {})).toEqual(expect.arrayContaining(['start', 'test', 'lint', 'types', 'sluice']))
})

function isAnotherScript(command: string): boolean {
  const [, name] = /^npm (?:run )?([a-z:-]+)( -- .*)?$/.exec(command) ?? []
  return name !== undefined && Object.hasOwn(scripts ?? {}, name)
}

function isLaunched(command: string): boolean {
  const [, launcher, program] =
    /^(?:[A-Z_]+=\S+ )?node (?:--\S+ )*bin\/(run|sluice)\.cjs(?: (\S+))?/.exec(command) ?? []
  return launcher === 'sluice' || (program !== undefined && existsSync(program))
}

test('the lock has the hash of a Node for each platform, in the exact version of package.json', () => {
  expect(nodes.length).toBeGreaterThan(0)
  for (const [name, version] of nodes) {
    expect(packages[`node_modules/${name}`], name).toMatchObject({
      version,
      integrity: expect.stringMatching(/^sha512-[A-Za-z0-9+/]{86}==$/),
      os: expect.stringMatching(/^(darwin|linux|win32)$/),
      cpu: expect.stringMatching(/^(arm64|x64)$/),
    })
  }
})

test('each Node in the lock is 24 or later, and the launcher knows its package', () => {
  const { NODE_PACKAGES } = createRequire(import.meta.url)(path.resolve('bin/on-node.cjs'))
  const locked = nodes.map(([name]) => {
    const { os, cpu } = packages[`node_modules/${name}`] ?? {}
    return [`${os} ${cpu}`, name]
  })
  expect(NODE_PACKAGES).toEqual(Object.fromEntries(locked))
  for (const [name, version] of nodes) expect(Number(version.split('.')[0]), name).toBeGreaterThanOrEqual(24)
})

// The packages themselves do not declare this: npm would install them with musl, where `node` could not start.
test('a Node that is linked with glibc is locked for glibc only', () => {
  const linux = nodes.flatMap(([name]) => packages[`node_modules/${name}`] ?? []).filter(({ os }) => os === 'linux')
  expect(linux.map(({ libc }) => libc)).toEqual(linux.map(() => ['glibc']))
  expect(linux.length).toBeGreaterThan(0)
})

test('the lock has the hash of every package, and no package address', () => {
  // The hash of a package covers what it bundles.
  const unhashed = installed.filter(([, { inBundle, integrity }]) => inBundle !== true && integrity === undefined)
  expect(unhashed.map(([place]) => place)).toEqual([])
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([place]) => place)).toEqual([])
})

test('no package runs a script during installation', () => {
  expect(readFileSync('.npmrc', 'utf8').split('\n')).toContain('ignore-scripts=true')
  // Both work without their script: one brings what it would build, and the other's script only speeds up its command.
  const withScripts = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true)
  expect(withScripts.map(([place]) => place)).toEqual(['node_modules/classic-level', 'node_modules/esbuild'])
})
