// The code that moves money has no planner and no audit in it, starts fast, and is the same for the same sources.
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, inject, test } from 'vitest'
import { BundleFile, handlerOf, Verb } from '../../core/contract/states.ts'
import { bundleFunctions, mostBytesOf } from '../../infra/bundle/bundle.ts'
import { BILL_FILE } from '../../infra/synthesize.ts'
import { folderOfFile } from '../helpers/folders.ts'

const folder = folderOfFile()

const FILES = Object.values(BundleFile)
let parties: ReturnType<typeof bundleFunctions>
const bundles = new Map<BundleFile, Buffer>()
const textOf = (file: BundleFile) => bundles.get(file)?.toString() ?? ''
beforeAll(() => {
  parties = bundleFunctions(folder)
  for (const file of FILES) bundles.set(file, readFileSync(join(folder, `${file}.cjs`)))
})

test.each(FILES)('%s has at most the bytes with which it starts fast', (file) => {
  expect(bundles.get(file)?.byteLength).toBeLessThan(mostBytesOf(file))
})

test('the exports that Lambda loads have the handler of each verb in its place', async () => {
  const handlers: string[] = []
  for (const file of FILES) {
    const exported: Record<string, unknown> = await import(join(folder, `${file}.mjs`))
    for (const handler of Object.values(exported)) expect(handler).toBeTypeOf('function')
    handlers.push(...Object.keys(exported).map((name) => `${file}.${name}`))
  }
  expect(handlers.sort()).toEqual(Object.values(Verb).map(handlerOf).sort())
})

test('the functions that move money contain no planner, and no client that starts runs or announces them', () => {
  const planner = 'the policy leaves it alone'
  const marks = [planner, 'PutEvents', 'StartExecution']
  const marksOf = (file: BundleFile) => marks.filter((mark) => textOf(file).includes(mark))
  expect(marksOf(BundleFile.Movements)).toEqual([])
  expect(marksOf(BundleFile.Runs)).toEqual([planner])
  expect(marksOf(BundleFile.Triggers)).toEqual(expect.arrayContaining(['PutEvents', 'StartExecution']))
  expect(marksOf(BundleFile.Recovery)).toEqual(['StartExecution'])
})

test('the functions that move money contain neither the audit nor the shape of the whole treasury.json', () => {
  const marks = ['is not what was frozen', 'an AWS region, such as']
  const isIn = (file: BundleFile) => (mark: string) => textOf(file).includes(mark)
  expect(marks.filter(isIn(BundleFile.Movements))).toEqual([])
  expect(marks.filter(isIn(BundleFile.Audit))).toEqual(marks)
})

test('a function writes to DynamoDB only by conditional puts: the bundle has no other write command', () => {
  const marks = ['PutItem', 'UpdateItem', 'DeleteItem', 'TransactWriteItems', 'BatchWriteItem', 'ExecuteStatement']
  for (const file of FILES) expect(marks.slice(1).filter((mark) => textOf(file).includes(mark))).toEqual([])
  expect(textOf(BundleFile.Movements)).toContain(marks[0])
})

test('credentials come from the environment alone', () => {
  for (const file of FILES) {
    const isIn = (text: string) => textOf(file).includes(text)
    expect(isIn('the environment holds no AWS credentials')).toBe(true)
    expect(
      ['credential_process', 'AssumeRoleWithWebIdentity', 'AWS_CONTAINER_CREDENTIALS_FULL_URI'].filter(isIn),
    ).toEqual([])
  }
})

test('the package has only the bundle, its entries and the third-party notices', () => {
  const files = FILES.flatMap((file) => [`${file}.cjs`, `${file}.mjs`])
  expect(readdirSync(folder).sort()).toEqual([...files, 'NOTICES.txt'].sort())
})

test('nothing is loaded on a first request, and the bundle has no source map and no path of this machine', () => {
  for (const text of FILES.map(textOf)) {
    expect(text).not.toMatch(/\bimport\(/)
    expect(text).not.toContain('sourceMappingURL')
    expect(text).not.toContain(process.cwd())
  }
})

test('the same sources give the same bytes, so that an unchanged function is not deployed again', () => {
  for (const file of FILES) {
    const [before = ''] = globSync(join(inject('assemblyDir'), `asset.*/${file}.cjs`))
    expect(readFileSync(before, 'utf8')).toBe(textOf(file))
  }
})

test('a synthesis writes a bill of materials of its bundles beside the assets', () => {
  const bill = JSON.parse(readFileSync(join(inject('assemblyDir'), BILL_FILE), 'utf8'))
  const names = parties.map(({ name }) => name)
  expect(names).toEqual(expect.arrayContaining(['@aws-sdk/client-dynamodb', 'jose', 'zod']))
  // Packages that only build, deploy and test are in no bundle.
  expect(names).not.toEqual(expect.arrayContaining([expect.stringMatching(/^(aws-cdk-lib|esbuild|vitest|commander)$/)]))
  expect(bill.components).toHaveLength(parties.length)
  expect(bill.components.map(({ purl }: { readonly purl: string }) => decodeURIComponent(purl))).toEqual(
    parties.map(({ name, version }) => `pkg:npm/${name}@${version}`),
  )
  const notices = readFileSync(join(folder, 'NOTICES.txt'), 'utf8')
  for (const { license, name, version } of parties) expect(notices).toContain(`${name} ${version} (${license})`)
})
