// A desk runs the assembly of exactly the present sources and configuration.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, test, vi } from 'vitest'
import { findOrSynthesize } from '../../../../place/desk/assembly.ts'
import { temporaryFolder } from '../../../helpers/folders.ts'

let rootDir: string
let cacheDir: string
let sharedDir: string
let configFile: string
let syntheses: number
let bundlings: number
beforeEach(() => {
  rootDir = temporaryFolder()
  cacheDir = path.join(rootDir, '.sluice', 'assembly')
  sharedDir = path.join(rootDir, 'shared')
  configFile = path.join(rootDir, 'treasury.json')
  syntheses = 0
  bundlings = 0
  for (const folder of ['infra/constructs', 'functions/quote', 'core/money', 'packages/schedules', 'cli'])
    mkdirSync(path.join(rootDir, folder), { recursive: true })
  for (const file of [
    'infra/app.ts',
    'functions/quote/quote.ts',
    'core/money/decimal.ts',
    'packages/schedules/cron.ts',
    'cli/main.ts',
    'package-lock.json',
    'treasury.json',
  ]) {
    writeFileSync(path.join(rootDir, file), file)
  }
})

const find = (variant = '', state = cacheDir) =>
  findOrSynthesize({
    variant,
    rootDir,
    cacheDir: state,
    sharedDir,
    configFile,
    synthesize: async (_config, outDir, bundleDir) => {
      syntheses += 1
      if (readdirSync(bundleDir).length === 0) {
        bundlings += 1
        writeFileSync(path.join(bundleDir, 'runs.cjs'), '')
      }
      writeFileSync(path.join(outDir, 'manifest.json'), '{}')
    },
  })

test('the same sources are synthesized once', async () => {
  const first = await find()
  expect(await find()).toBe(first)
  expect(syntheses).toBe(1)
  expect(readdirSync(first)).toEqual(['manifest.json'])
})

test('an assembly is for its owner only, because it contains the configuration', async () => {
  const dir = await find()
  expect(statSync(cacheDir).mode & 0o777).toBe(0o700)
  expect(statSync(dir).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(dir, 'manifest.json')).mode & 0o777).toBe(0o600)
})

test.each([
  'infra/app.ts',
  'functions/quote/quote.ts',
  'core/money/decimal.ts',
  'packages/schedules/cron.ts',
  'package-lock.json',
  'treasury.json',
])('a change of %s is synthesized again', async (file) => {
  const first = await find()
  writeFileSync(path.join(rootDir, file), 'changed')
  expect(await find()).not.toBe(first)
  expect(syntheses).toBe(2)
})

test('a variant of the same sources is an assembly of its own', async () => {
  const first = await find()
  expect(await find('debug')).not.toBe(first)
  expect(await find()).toBe(first)
  expect(syntheses).toBe(2)
})

test('a new source file is synthesized again, but a change of the command line is not', async () => {
  const first = await find()
  writeFileSync(path.join(rootDir, 'cli/main.ts'), 'changed')
  expect(await find()).toBe(first)
  writeFileSync(path.join(rootDir, 'functions/quote/handler.ts'), '')
  expect(await find()).not.toBe(first)
})

test('a failed or killed synthesis leaves nothing that counts as an assembly', async () => {
  const failing = findOrSynthesize({
    rootDir,
    cacheDir,
    configFile,
    synthesize: () => Promise.reject(new Error('out of disk')),
  })
  await expect(failing).rejects.toThrow('out of disk')
  await find()
  expect(syntheses).toBe(1)
  expect(readdirSync(cacheDir)).toHaveLength(1)
})

test('only the newest few assemblies are kept, and always the one in use', async () => {
  const dirs: string[] = []
  for (let version = 0; version < 6; version += 1) {
    writeFileSync(configFile, `version ${version}`)
    const dir = await find()
    utimesSync(dir, version, version)
    dirs.push(dir)
  }
  expect(readdirSync(cacheDir)).toHaveLength(4)
  writeFileSync(configFile, 'version 2')
  const oldest = await find()
  expect(oldest).toBe(dirs[2])
  expect(syntheses).toBe(6)
  expect(dirs.filter((dir) => existsSync(dir))).toContain(oldest)
})

/** A file that any process of this user could have put there. */
const plant = (folder: string) => writeFileSync(path.join(folder, 'manifest.json'), '{"planted":true}')
const manifestIn = (folder: string) => readFileSync(path.join(folder, 'manifest.json'), 'utf8')

test.each([
  ['changed', plant],
  ['added to', (dir: string) => writeFileSync(path.join(dir, 'more.cjs'), 'planted')],
  [
    'replaced by a link',
    (dir: string) => {
      renameSync(dir, `${dir}-planted`)
      symlinkSync(`${dir}-planted`, dir)
      plant(`${dir}-planted`)
    },
  ],
])('an assembly that was %s after it was written is made again', async (_what, change) => {
  const dir = await find()
  change(dir)
  expect(await find()).toBe(dir)
  expect(readdirSync(dir)).toEqual(['manifest.json'])
  expect(manifestIn(dir)).toBe('{}')
  expect(lstatSync(dir).isDirectory()).toBe(true)
})

/** The module as another process has it: without memory. */
async function freshModule(): Promise<typeof findOrSynthesize> {
  vi.resetModules()
  return (await import('../../../../place/desk/assembly.ts')).findOrSynthesize
}

test('an assembly of another process of this installation is used, and a foreign one is made again', async () => {
  const dir = await find()
  const inAnotherProcess = await freshModule()
  let again = 0
  const findAgain = () =>
    inAnotherProcess({
      ...{ rootDir, cacheDir, sharedDir, configFile },
      synthesize: async (_config, outDir) => {
        again += 1
        writeFileSync(path.join(outDir, 'manifest.json'), '{}')
      },
    })
  expect(await findAgain()).toBe(dir)
  expect(again).toBe(0)
  plant(dir)
  await findAgain()
  // The checkout has a copy.
  expect([again, manifestIn(dir)]).toEqual([0, '{}'])
  for (const name of readdirSync(sharedDir).filter((name) => name !== 'digests')) plant(path.join(sharedDir, name))
  plant(dir)
  await findAgain()
  expect([again, manifestIn(dir)]).toEqual([1, '{}'])
  // After `npm ci` the checkout knows nothing.
  rmSync(sharedDir, { recursive: true })
  const afterwards = await freshModule()
  const refused = afterwards({
    rootDir,
    cacheDir,
    sharedDir,
    configFile,
    synthesize: () => Promise.reject(new Error('asked')),
  })
  await expect(refused).rejects.toThrow('asked')
})

const another = () => path.join(rootDir, 'another', 'assembly')

test('a second state directory copies the first one’s assembly, for its owner only', async () => {
  await find()
  const copy = await find('', another())
  expect(syntheses).toBe(1)
  expect(path.dirname(copy)).toBe(another())
  expect(readdirSync(copy)).toEqual(['manifest.json'])
  expect(statSync(copy).mode & 0o777).toBe(0o700)
  expect(statSync(path.join(copy, 'manifest.json')).mode & 0o777).toBe(0o600)
})

test('functions are bundled once for all configurations and state directories, and again if their source has changed', async () => {
  await find()
  writeFileSync(configFile, 'another')
  await find()
  await find('', another())
  expect({ syntheses, bundlings }).toEqual({ syntheses: 2, bundlings: 1 })
  await find('debug')
  expect(bundlings).toBe(2)
  writeFileSync(path.join(rootDir, 'functions/quote/quote.ts'), 'changed')
  await find()
  expect({ syntheses, bundlings }).toEqual({ syntheses: 4, bundlings: 3 })
})

test('bundles that the checkout used last are kept, whatever assemblies came since', async () => {
  for (let version = 0; version < 40; version += 1) {
    writeFileSync(configFile, `version ${version}`)
    await find()
  }
  expect(bundlings).toBe(1)
})

test.each([0o750, 0o707])(
  'files that another user may have put into the checkout are not used (mode %o)',
  async (mode) => {
    await find()
    chmodSync(sharedDir, mode)
    await find('', another())
    expect(syntheses).toBe(2)
  },
)

test('a checkout that keeps nothing makes a state directory synthesize, and nothing fails', async () => {
  writeFileSync(sharedDir, 'no folder')
  const dir = await find()
  expect(readdirSync(dir)).toEqual(['manifest.json'])
  expect(syntheses).toBe(1)
})

test('the checkout keeps the newest few, and the remains of a killed process are removed', async () => {
  mkdirSync(path.join(sharedDir, 'abandoned.1.partial'), { recursive: true, mode: 0o700 })
  chmodSync(sharedDir, 0o700)
  utimesSync(path.join(sharedDir, 'abandoned.1.partial'), 0, 0)
  mkdirSync(path.join(sharedDir, 'being-written.2.partial'))
  for (let version = 0; version < 20; version += 1) {
    writeFileSync(configFile, `version ${version}`)
    await find()
  }
  expect(readdirSync(sharedDir).filter((name) => name.endsWith('.partial'))).toEqual(['being-written.2.partial'])
  expect(readdirSync(sharedDir).filter((name) => name !== 'digests')).toHaveLength(17)
  expect(readdirSync(path.join(sharedDir, 'digests')).length).toBeGreaterThan(20)
})
