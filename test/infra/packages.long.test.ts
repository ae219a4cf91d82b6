// The packages: each is imported by its name alone, knows nothing of Sluice, and works as it would be published.
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PACKAGES, packPackages } from '../../packages/pack.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const ROOMS = [
  'bench',
  'cli',
  'console',
  'core',
  'examples',
  'functions',
  'infra',
  'operations',
  'place',
  'packages',
  'test',
  'views',
]
const IMPORT = /(?:from\s+|import\(\s*)'(\.[^']*)'/g

const sources = ROOMS.flatMap((room) =>
  readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(ts|mjs)$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(room, file)),
)

/** `packages/schedules`, or the room of a file outside the packages. */
function homeOf(file: string): string {
  const [room = '', name = ''] = file.split('/')
  return room === 'packages' && !name.includes('.') ? `${room}/${name}` : room
}

/** Each import by a path that leaves a package or enters one, except in tests, which may share helpers. */
const crossings = sources.flatMap((file) =>
  [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(IMPORT)].flatMap(([, to = '']) => {
    const target = path.join(path.dirname(file), to)
    const isCrossing = homeOf(file) !== homeOf(target) && [file, target].some((one) => homeOf(one).includes('/'))
    return isCrossing ? [{ file, target }] : []
  }),
)

test('files outside a package import it by its name', () => {
  const entered = crossings.filter(({ target }) => homeOf(target).includes('/') && !target.includes('/test/'))
  expect(entered.filter(({ file }) => file !== 'test/infra/packages.long.test.ts')).toEqual([])
})

test('no package imports anything outside it, except in its tests', () => {
  expect(crossings.filter(({ file }) => homeOf(file).includes('/') && !file.includes('/test/'))).toEqual([])
})

describe('a package in its published form', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'sluice-packages-'))
    const packed = path.join(folder, 'packed')
    packPackages(packed)
    for (const name of PACKAGES) unpack(path.join(packed, name), path.join(folder, 'node_modules/@sluice', name))
    for (const name of ['@aws-sdk', 'aws-cdk-lib', 'constructs', 'decimal.js', 'dynalite', 'zod'])
      symlinkSync(path.join(ROOT, 'node_modules', name), path.join(folder, 'node_modules', name))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Puts a package where npm would, from the archive that npm would publish. Installing more would need a registry. */
  function unpack(home: string, target: string): void {
    const npm = spawnSync('npm', ['pack', '--silent', '--ignore-scripts'], { encoding: 'utf8', cwd: home })
    expect(npm.status, npm.stderr).toBe(0)
    mkdirSync(target, { recursive: true })
    const archive = path.join(home, npm.stdout.trim())
    const tar = spawnSync('tar', ['-xzf', archive, '-C', target, '--strip-components', '1'], { encoding: 'utf8' })
    expect(tar.status, tar.stderr).toBe(0)
  }

  /** The output of a program beside the packages, without flags or loaders, as a stranger runs it. */
  function run(program: string, name = 'program.mjs'): string {
    const file = path.join(folder, name)
    writeFileSync(file, program)
    const { stdout, stderr, status } = spawnSync(process.execPath, [file], { encoding: 'utf8', cwd: folder })
    expect(status, stderr).toBe(0)
    return stdout
  }

  test.each(PACKAGES)('each page of %s links to pages that the package has', (name) => {
    const home = path.join(folder, 'node_modules/@sluice', name)
    const pages = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
    const missing = pages.flatMap((page) =>
      [...readFileSync(path.join(home, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
        .map(([, linked = '']) => path.join(path.dirname(page), linked))
        .filter((linked) => !existsSync(path.join(home, linked))),
    )
    expect(pages).toContain('README.md')
    expect(missing).toEqual([])
  })

  test.each(PACKAGES)('%s needs no package that no registry has', (name) => {
    const manifest = JSON.parse(readFileSync(path.join(folder, 'packed', name, 'package.json'), 'utf8'))
    expect(Object.keys(manifest.dependencies ?? {}).filter((each) => each.startsWith('@sluice/'))).toEqual([])
  })

  test('the grammar of schedules computes the next time of a schedule', () => {
    expect(
      run(`import { parseExpression } from '@sluice/schedules'
const schedule = parseExpression('cron(30 9 ? * MON-FRI *)', 'Europe/Madrid')
const now = Date.parse('2026-11-27T09:00:00Z')
console.log(new Date(schedule.nextMs(now, now)).toISOString())`),
    ).toBe('2026-11-30T08:30:00.000Z\n')
  })

  test('the sandbox answers a request with a key of its own', () => {
    expect(
      run(`import { startSandbox } from '@sluice/service-sandbox'
const sandbox = await startSandbox()
const headers = { authorization: 'Bearer ' + sandbox.keys.full.secret }
console.log((await fetch(sandbox.baseUrl + '/v2/account', { headers })).status)
await sandbox.stop()`),
    ).toBe('200\n')
  })

  test('the embedded AWS boots an assembly and keeps what clients put into its table and its bucket', () => {
    mkdirSync(path.join(folder, 'assembly'))
    const template = {
      Resources: {
        Things: {
          Type: 'AWS::DynamoDB::Table',
          Properties: {
            TableName: 'things',
            KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
            AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
            BillingMode: 'PAY_PER_REQUEST',
          },
        },
        Files: { Type: 'AWS::S3::Bucket', Properties: { BucketName: 'files' } },
      },
    }
    writeFileSync(path.join(folder, 'assembly/Things.template.json'), JSON.stringify(template))
    const artifacts = {
      Things: {
        type: 'aws:cloudformation:stack',
        environment: 'aws://unknown-account/unknown-region',
        properties: { templateFile: 'Things.template.json' },
      },
    }
    writeFileSync(path.join(folder, 'assembly/manifest.json'), JSON.stringify({ version: '48.0.0', artifacts }))
    expect(
      run(`import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { startEmbeddedAws } from '@sluice/embedded-aws'
const { endpointUrl: endpoint, region, credentials, stop } = await startEmbeddedAws({ assemblyDir: 'assembly', stateDir: 'state' })
const client = new DynamoDBClient({ endpoint, region, credentials })
await client.send(new PutItemCommand({ TableName: 'things', Item: { pk: { S: 'one' } } }))
console.log((await client.send(new GetItemCommand({ TableName: 'things', Key: { pk: { S: 'one' } } }))).Item.pk.S)
const s3 = new S3Client({ endpoint, region, credentials })
await s3.send(new PutObjectCommand({ Bucket: 'files', Key: 'k', Body: 'two' }))
console.log(await (await s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'k' }))).Body.transformToString())
for (const each of [client, s3]) each.destroy()
await stop()`),
    ).toBe('one\ntwo\n')
  })

  const askWrongly = `const sluice = createClient({ account: '111122223333', sfn: new SFNClient({ region: 'eu-west-1' }) })
sluice.withdraw({ assetSymbol: 'USDC', amount: '0', contactId: 'c' }, { id: 'x' }).catch((error) => {
  console.log(error instanceof InvalidRequest, error.code, error.field)
})`

  test('the client names the wrong field of a request, as an ES module', () => {
    expect(
      run(`import { SFNClient } from '@aws-sdk/client-sfn'
import { createClient, InvalidRequest } from '@sluice/client'
${askWrongly}`),
    ).toBe('true INVALID_REQUEST amount\n')
  })

  test('the client names the wrong row of a run of payouts', () => {
    expect(
      run(`import { SFNClient } from '@aws-sdk/client-sfn'
import { createClient } from '@sluice/client'
const policies = { salaries: { kind: 'payouts' } }
const sluice = createClient({ account: '111122223333', sfn: new SFNClient({ region: 'eu-west-1' }), policies })
const rows = [{ id: 'june-1', contactId: 'c', asset: 'EUR', amount: '-1' }]
sluice.run('salaries', { id: 'x', rows }).catch((error) => console.log(error.code, error.field))`),
    ).toBe('INVALID_REQUEST rows[0].amount\n')
  })

  test('the client is the same module when CommonJS loads it', () => {
    expect(
      run(
        `const { SFNClient } = require('@aws-sdk/client-sfn')
const { createClient } = require('@sluice/client')
import('@sluice/client').then(({ InvalidRequest }) => {
  globalThis.InvalidRequest = InvalidRequest
  ${askWrongly}
})`,
        'program.cjs',
      ),
    ).toBe('true INVALID_REQUEST amount\n')
  })

  test('the types of the client allow the right calls only, in an ES module and in CommonJS', () => {
    const program = `import { createClient, type ConvertReport, type Handle, type PayoutRow } from '@sluice/client'
const sluice = createClient({ account: '111122223333', policies: { balanced: { kind: 'rebalance' }, salaries: { kind: 'payouts' } } })
const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' } as const
export const handle: Promise<Handle<ConvertReport>> = sluice.convert(buy, { id: 'x' })
export const run = sluice.run('balanced', { id: 'x' })
const rows: PayoutRow[] = [{ id: 'june-1', contactId: 'c', asset: 'EUR', amount: '2500' }]
export const paid = sluice.run('salaries', { id: 'x', rows })
// @ts-expect-error a run of payouts has rows
sluice.run('salaries', { id: 'x' })
// @ts-expect-error only a run of payouts has rows
sluice.run('balanced', { id: 'x', rows })
// @ts-expect-error an amount is a string
sluice.convert({ ...buy, amount: 250 }, { id: 'x' })
// @ts-expect-error no such policy
sluice.run('balance', { id: 'x' })
// @ts-expect-error each movement has an id
sluice.convert(buy)
`
    checkTypes(program, 'client')
  })

  test("the client and the construct ask for the Node that the SDK's release asks for", () => {
    const nodeOf = (home: string) => JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8')).engines.node
    const asked = /\d+/.exec(nodeOf(path.join(ROOT, 'node_modules/@aws-sdk/client-sfn')))?.[0]
    for (const name of ['client', 'infra']) {
      expect(nodeOf(path.join(folder, 'node_modules/@sluice', name)), name).toBe(`>=${asked}`)
    }
  })

  test.each(['client', 'infra', 'schedules'])('the types of %s need no schema library', (name) => {
    const home = path.join(folder, 'node_modules/@sluice', name)
    const declared = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
    expect(declared.length).toBeGreaterThan(0)
    expect(declared.filter((file) => readFileSync(path.join(home, file), 'utf8').includes('zod'))).toEqual([])
  })

  test('the plain types of treasury.json take what the contract takes, and nothing else', () => {
    const contract = (io: string) => `import('${path.join(ROOT, 'core/contract/treasury.ts')}').${io}`
    writeFileSync(
      path.join(folder, 'plain.mts'),
      `import type { Treasury, TreasuryInput } from '@sluice/infra'
type Plain<T> = T extends object ? { readonly [K in keyof T]: Plain<T[K]> } : T
type Same<A, B> = [Plain<A>] extends [Plain<B>] ? ([Plain<B>] extends [Plain<A>] ? true : 'narrower') : 'wider'
export const written: Same<TreasuryInput, ${contract('TreasuryInput')}> = true
export const read: Same<Treasury, ${contract('Treasury')}> = true
`,
    )
    expectTypes(['plain.mts'], ['--allowImportingTsExtensions', '--exactOptionalPropertyTypes'])
  })

  /** Compiles a program beside the packages as both kinds of module, and as older readers of packages do. */
  function checkTypes(program: string, name: string): void {
    const files = ['mts', 'cts'].map((kind) => `${name}.${kind}`)
    for (const file of files) writeFileSync(path.join(folder, file), program)
    expectTypes(files)
    const file = `${name}.ts`
    writeFileSync(path.join(folder, file), program)
    expectTypes([file], ['--module', 'esnext', '--moduleResolution', 'bundler'])
  }

  /** Expects that the compiler finds no error in files of the folder. */
  function expectTypes(files: readonly string[], options: readonly string[] = ['--module', 'nodenext']): void {
    const compiler = path.join(ROOT, 'node_modules/typescript/bin/tsc')
    const common = ['--noEmit', '--skipLibCheck', '--strict', '--target', 'es2022', '--types', 'node', '--typeRoots']
    const given = [compiler, ...common, path.join(ROOT, 'node_modules/@types'), '--module', 'nodenext', ...options]
    const { status, stdout } = spawnSync(process.execPath, [...given, ...files], { encoding: 'utf8', cwd: folder })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  }

  const deploy = `const stack = new Stack(new App({ outdir: 'deployed' }), 'Payments')
const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
const service = { url: 'https://service.example', stage: 'test' }
const sluice = new Sluice(stack, 'Treasury', { treasury: { environment: 'acme', service } })
sluice.grantConvert(role)
console.log(stack.node.root.synth().stacks.map(({ stackName }) => stackName).join(' '))`
  const STACKS = 'Payments acme-SluiceState acme-SluiceWorkflow acme-SluiceTriggers acme-SluiceMonitoring\n'

  test('the construct takes the CDK of the app, from the tested version on', () => {
    const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
    const { devDependencies } = read(path.join(ROOT, 'package.json'))
    expect(read(path.join(folder, 'node_modules/@sluice/infra/package.json')).peerDependencies).toEqual({
      'aws-cdk-lib': `^${devDependencies['aws-cdk-lib']}`,
      constructs: `^${devDependencies.constructs}`,
    })
  })

  test('the construct synthesizes in CommonJS', () => {
    expect(
      run(
        `const { App, Stack } = require('aws-cdk-lib')
const { Role, ServicePrincipal } = require('aws-cdk-lib/aws-iam')
const { Sluice } = require('@sluice/infra')
${deploy}`,
        'deploy.cjs',
      ),
    ).toBe(STACKS)
  })

  test('the construct synthesizes in an ES module, and its functions start from the bundles of the package', () => {
    const program = `import { App, Stack } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Sluice } from '@sluice/infra'
import { startEmbeddedAws } from '@sluice/embedded-aws'
${deploy}
const aws = await startEmbeddedAws({ assemblyDir: 'deployed', stateDir: 'deployed-state' })
const { release, treasury } = JSON.parse(await aws.invokeFunction('acme-sluice-describe', '{}'))
console.log(release, treasury.service.url)
await aws.stop()`
    const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    expect(run(program)).toBe(`${STACKS}${version} https://service.example\n`)
  })

  test('the types of the construct allow the right settings only, in an ES module and in CommonJS', () => {
    checkTypes(
      `import { App, Stack } from 'aws-cdk-lib'
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { RequestEvent, Sluice, type SluiceProps } from '@sluice/infra'
const stack = new Stack(new App(), 'Payments')
const role = new Role(stack, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
const url = 'https://service.example'
const props: SluiceProps = { treasury: { service: { url, stage: 'test' } } }
const sluice = new Sluice(stack, 'Treasury', props)
sluice.grantRequest(role, RequestEvent.Conversion)
export const arn: string = sluice.stateMachines.convert.stateMachineArn
// @ts-expect-error a stage is live or test
new Sluice(stack, 'Wrong', { treasury: { service: { url, stage: 'production' } } })
// @ts-expect-error a grant of runs names a policy
sluice.grantSweep(role)
`,
      'construct',
    )
  })

  test.each(['client', 'infra', 'schedules'])('%s is found by readers that know no exports, with its types', (name) => {
    const home = path.join(folder, 'node_modules/@sluice', name)
    const { main, types } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
    expect(createRequire(import.meta.url).resolve(path.join(home, main))).toMatch(/\.js$/)
    expect(readFileSync(path.join(home, types), 'utf8')).toContain('export')
    expect(types).toBe(main.replace(/\.js$/, '.d.ts'))
  })

  test.each(PACKAGES)('%s has a page, a changelog, a licence and a version', (name) => {
    const home = path.join(folder, 'node_modules/@sluice', name)
    const { exports, version } = JSON.parse(readFileSync(path.join(home, 'package.json'), 'utf8'))
    const entry = path.normalize(typeof exports === 'string' ? exports : exports.import)
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' })
    expect(files).toEqual(expect.arrayContaining(['README.md', 'CHANGELOG.md', 'LICENSE', entry]))
    expect(readFileSync(path.join(home, 'CHANGELOG.md'), 'utf8')).toContain(`## ${version}`)
  })
})
