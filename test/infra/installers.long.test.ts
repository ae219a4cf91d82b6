// The packages, installed by npm, pnpm and yarn as a user does: from their tarballs, and from a registry to which they were
// published. It needs npm's registry, also for the installers and the registry itself, which are no dependencies of ours.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { folderOfFile } from '../helpers/folders.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')
const TOOLS = { verdaccio: '6.10.4', pnpm: '12.21.0', yarn: '1.22.22', '@yarnpkg/cli-dist': '4.18.1' }
/** Versions that an installer asks a registry for, and that not every mirror has. */
const MISSING = { 'node-fetch': '2.7.0', '@aws/cloudformation-validate': '1.9.0-beta' }

const folder = folderOfFile()
const tool = (file: string) => path.join(folder, 'tools/node_modules', file)
const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`

/** Without what `npm run` tells the programs that it starts, such as a prefix with another Node. */
const OWN = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_')))

function run(program: string, args: readonly string[], cwd: string, more: Readonly<Record<string, string>> = {}) {
  const env = { ...OWN, PATH, HOME: path.join(folder, 'home'), ...more }
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, env, encoding: 'utf8' })
  return { status, output: `${stdout}${stderr}` }
}

function done(...asked: Parameters<typeof run>): string {
  const { status, output } = run(...asked)
  expect(status, `${asked[0]} ${asked[1].join(' ')}: ${output}`).toBe(0)
  return output
}

let registry: string
let server: ChildProcess
/** File of each tarball by the name of its package. */
let tarballs: ReadonlyMap<string, string>
beforeAll(async () => {
  for (const name of ['home', 'tools', 'packed']) mkdirSync(path.join(folder, name))
  const packed = path.join(folder, 'packed')
  done(process.execPath, ['packages/pack.ts', packed], ROOT)
  const files = readdirSync(packed).filter((file) => file.endsWith('.tgz'))
  tarballs = new Map(files.map((file) => [nameOf(file), path.join(packed, file)]))
  const manifest = { private: true, dependencies: TOOLS, overrides: MISSING }
  writeFileSync(path.join(folder, 'tools/package.json'), JSON.stringify(manifest))
  const settings = ['--ignore-scripts', '--no-audit', '--no-fund']
  done('npm', ['install', ...settings], path.join(folder, 'tools'), { npm_config_registry: upstream() })
  registry = await serve(upstream())
  for (const file of tarballs.values())
    done('npm', ['publish', file, '--registry', registry, `--${registry.replace('http:', '')}:_authToken=any`], folder)
})
afterAll(() => server?.kill())

/** The registry of this machine, which the home of the test does not know. */
const upstream = () => spawnSync('npm', ['config', 'get', 'registry'], { encoding: 'utf8', cwd: ROOT }).stdout.trim()

function nameOf(file: string): string {
  const short = file.replace(/-\d+\.\d+\.\d+\.tgz$/, '')
  return short === 'sluice' ? short : short.replace('sluice-', '@sluice/')
}

async function serve(uplink: string): Promise<string> {
  const config = {
    storage: path.join(folder, 'storage'),
    auth: { htpasswd: { file: path.join(folder, 'users') } },
    uplinks: { up: { url: uplink } },
    packages: {
      ...Object.fromEntries(['sluice', '@sluice/*'].map((name) => [name, { access: '$all', publish: '$all' }])),
      '**': { access: '$all', proxy: 'up' },
    },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
  // JSON is YAML too.
  const file = path.join(folder, 'registry.yaml')
  writeFileSync(file, JSON.stringify(config))
  const address = `127.0.0.1:${await freePort()}`
  server = spawn(process.execPath, [tool('verdaccio/bin/verdaccio'), '-c', file, '-l', address], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let text = ''
  server.stdout?.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
  server.once('close', () => (text += 'closed'))
  await vi.waitFor(() => expect(text).toContain(address), { timeout: 60_000 })
  return `http://${address}/`
}

/** The registry does not tell a port that it chose. */
async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  listener.close()
  return port
}

interface Installer {
  readonly install: readonly string[]
  /** Runs a program among the installed packages. */
  readonly exec: readonly string[]
  readonly settings?: Readonly<Record<string, string>>
}

const berry = (nodeLinker: string): Installer => ({
  install: [process.execPath, '@yarnpkg/cli-dist/bin/yarn.js', 'install'],
  exec: [process.execPath, '@yarnpkg/cli-dist/bin/yarn.js', 'run'],
  settings: {
    '.yarnrc.yml': JSON.stringify({ nodeLinker, enableScripts: false, npmMinimalAgeGate: 0, enableTelemetry: false }),
  },
})

const INSTALLERS: Readonly<Record<string, Installer>> = {
  npm: {
    install: ['npm', 'install', '--ignore-scripts', '--no-audit', '--no-fund'],
    exec: ['npm', 'exec', '--no', '--'],
  },
  pnpm: {
    install: [process.execPath, 'pnpm/bin/pnpm.mjs', 'install', '--ignore-scripts'],
    exec: [process.execPath, 'pnpm/bin/pnpm.mjs', '--config.verify-deps-before-run=false', 'exec'],
  },
  'yarn 1': {
    install: [process.execPath, 'yarn/bin/yarn.js', 'install', '--ignore-scripts', '--non-interactive'],
    exec: [process.execPath, 'yarn/bin/yarn.js', '--silent', 'run'],
  },
  'yarn with node_modules': berry('node-modules'),
  'yarn without node_modules': berry('pnp'),
}

/** Uses each package once. */
const PROGRAM = `import { createClient } from '@sluice/client'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { Sluice } from '@sluice/infra'
import { parseExpression } from '@sluice/schedules'
import { startSandbox } from '@sluice/service-sandbox'
import { App } from 'aws-cdk-lib'
const app = new App({ outdir: 'assembly', analyticsReporting: false })
const sandbox = await startSandbox()
new Sluice(app, 'Treasury', { treasury: { service: { url: sandbox.baseUrl, stage: 'test' } } })
const stacks = app.synth().stacks.length
const headers = { authorization: 'Bearer ' + sandbox.keys.full.secret }
const { status } = await fetch(sandbox.baseUrl + '/v2/account', { headers })
const aws = await startEmbeddedAws({ assemblyDir: 'assembly', stateDir: 'state' })
const { outcome } = JSON.parse(await aws.invokeFunction('sluice-describe', '{}'))
const request = { assetSymbol: 'USDC', amount: '-1', contactId: 'x' }
const client = await createClient({ account: '123456789012' }).withdraw(request, { id: 'x' }).catch(({ name }) => name)
const nextMs = parseExpression('rate(1 hour)', 'UTC').nextMs(0, 0)
await aws.stop()
await sandbox.stop()
console.log(JSON.stringify({ stacks, status, outcome, client, nextMs }))
`

test.each(Object.keys(INSTALLERS).flatMap((name) => ['tarballs', 'a registry'].map((from) => ({ name, from }))))(
  '$name installs each package from $from, and each works',
  ({ name, from }) => {
    const { exec, install, settings = {} } = INSTALLERS[name] as Installer
    const home = path.join(folder, `${name} ${from}`)
    mkdirSync(home)
    const { version, devDependencies } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
    const own = [...tarballs].map(([each, file]) => [each, from === 'tarballs' ? `file:${file}` : '*'])
    const cdk = ['aws-cdk-lib', 'constructs'].map((each) => [each, devDependencies[each]])
    const dependencies = Object.fromEntries([...own, ...cdk])
    const manifest = { name: 'user', private: true, type: 'module', dependencies, resolutions: MISSING }
    const scripts = { use: 'node use.mjs' }
    const files = {
      ...{ 'package.json': JSON.stringify({ ...manifest, scripts }), 'use.mjs': PROGRAM, 'yarn.lock': '' },
      ...{ '.npmrc': `registry=${registry}\n`, ...settings },
    }
    for (const [file, text] of Object.entries(files)) writeFileSync(path.join(home, file), text)
    const start = ([program = '', script = '', ...words]: readonly string[], ...more: string[]) => {
      const args = program === 'npm' ? [script, ...words, ...more] : [tool(script), ...words, ...more]
      return done(program, args, home, {
        npm_config_registry: registry,
        YARN_NPM_REGISTRY_SERVER: registry,
        YARN_UNSAFE_HTTP_WHITELIST: '127.0.0.1',
        YARN_ENABLE_IMMUTABLE_INSTALLS: 'false',
      })
    }
    start(install)
    const used = start(exec, ...(name.startsWith('yarn') ? ['use'] : ['node', 'use.mjs']))
    expect(JSON.parse(used.trim().split('\n').at(-1) ?? '')).toEqual({
      stacks: 4,
      status: 200,
      outcome: 'DESCRIBED',
      client: 'InvalidRequest',
      nextMs: 3_600_000,
    })
    expect(start(exec, 'sluice', '--version').trim().split('\n').at(-1)).toBe(version)
  },
)
