// The package `sluice`, installed by npm from its tarball into an empty folder, as a stranger does: without scripts, and
// with no checkout beside it. It needs npm's registry, for LevelDB's binding.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { packPackages } from '../../packages/pack.ts'
import { packCommand } from '../../packages/pack-command.ts'
import { folderOfFile } from '../helpers/folders.ts'

/** Bytes of the download, without the binding. */
const MOST_BYTES_PACKED = 12_000_000

const folder = folderOfFile()
let home: string
let tarball: string
/** The installed package. */
let installed: string
beforeAll(async () => {
  const packed = path.join(folder, 'packed')
  await packCommand(packed)
  tarball = path.join(packed, start('npm', ['pack', '--silent', '--ignore-scripts'], packed).stdout.trim())
  home = path.join(folder, 'a home')
  installed = path.join(home, 'node_modules/sluice')
  mkdirSync(home)
  const { status, stderr } = start('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', tarball], home)
  expect(status, stderr).toBe(0)
})

/** This Node comes first on the PATH, which programs of npm and npx look at. */
const PATH = `${path.dirname(process.execPath)}${path.delimiter}${process.env.PATH}`

function start(program: string, args: readonly string[], cwd: string) {
  return spawnSync(program, args, { cwd, encoding: 'utf8', env: { ...process.env, PATH } })
}

/** A home of its own, so that no setting of this machine is read. */
const variables = () => ({ PATH, HOME: home })

function sluice(words: string) {
  const { status, stdout, stderr } = spawnSync('npx', ['sluice', ...words.split(' ')], {
    cwd: home,
    encoding: 'utf8',
    env: variables(),
  })
  return { status, stdout, stderr }
}

/** @returns the standard output */
function done(words: string): string {
  const { status, stdout, stderr } = sluice(words)
  expect(status, `${words}: ${stderr}`).toBe(0)
  return stdout
}

test('the tarball is small, depends on little, and names what is inside', () => {
  const manifest = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8'))
  expect(statSync(tarball).size).toBeLessThanOrEqual(MOST_BYTES_PACKED)
  expect(Object.keys(manifest.dependencies)).toEqual(['dynalite'])
  const bill = JSON.parse(readFileSync(path.join(installed, 'sbom.cdx.json'), 'utf8'))
  const names = bill.components.map(({ name }: { readonly name: string }) => name)
  for (const name of ['commander', 'zod', 'hono', 'aws-cdk-lib', 'client-dynamodb']) expect(names).toContain(name)
  const notices = readFileSync(path.join(installed, 'NOTICES.txt'), 'utf8')
  for (const { name, version } of bill.components) expect(notices).toContain(`${name} ${version} (`)
})

test('each page links to pages that the package has', () => {
  const pages = readdirSync(installed, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'))
  const missing = pages.flatMap((page) =>
    [...readFileSync(path.join(installed, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
      .map(([, linked = '']) => path.join(path.dirname(page), linked))
      .filter((linked) => !existsSync(path.join(installed, linked))),
  )
  expect(pages).toContain('docs/runbook.md')
  expect(missing).toEqual([])
})

test('every command has its help', () => {
  const names = [...done('--help').matchAll(/^ {2}([a-z]+)\b/gm)].map(([, name = '']) => name)
  expect(names).toEqual(expect.arrayContaining(['start', 'run', 'payouts', 'console', 'setup']))
  for (const name of names.filter((each) => each !== 'npx')) expect(done(`${name} --help`)).toContain(`sluice ${name}`)
})

test('the tour ties out, and both verifiers accept its proofs', () => {
  const { proofs } = JSON.parse(done('start --json')) as { readonly proofs: readonly string[] }
  expect(proofs).toHaveLength(3)
  for (const proof of proofs) {
    // Whole, and compared with no key.
    expect(sluice(`proof check ${path.relative(home, proof)}`).status).toBe(6)
    const verifier = path.join(installed, 'docs/verify-proof.mjs')
    expect(spawnSync(process.execPath, [verifier, proof], { env: variables() }).status).toBe(6)
  }
})

test('a conversion is made once, alone and beside a serve, and the reads show it', async () => {
  const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  writeFileSync(path.join(home, 'buy.json'), JSON.stringify(request))
  const convert = () => JSON.parse(done('run convert buy.json --id first --json'))
  const made = convert()
  expect(made.outcome).toBe('FILLED')
  expect(convert()).toEqual(made)
  // npx does not pass a signal on.
  const serving = spawn(process.execPath, [path.join(installed, 'bin/sluice.cjs'), 'serve', '--jsonl'], {
    cwd: home,
    env: variables(),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(serving.stdout, 'data')
  expect(convert()).toEqual(made)
  const { asked } = JSON.parse(done('movements list --json'))
  expect(asked).toHaveLength(1)
  serving.kill('SIGINT')
  await once(serving, 'close')
  done('journal verify')
})

test('a policy of a treasury.json in the folder is planned and carried out once', () => {
  done('setup init --no-input --kind rebalance --name own --weights BTC=0.5,USDC=0.5')
  const file = path.join(home, 'treasury.json')
  const { policies, ...treasury } = JSON.parse(readFileSync(file, 'utf8'))
  const { approval: _approval, mode: _mode, ...own } = policies.own
  writeFileSync(file, JSON.stringify({ ...treasury, policies: { own } }))
  done('plan own --state other --json')
  const carryOut = () => JSON.parse(done('run rebalance own --id 2026-01 --state other --json'))
  const report = carryOut()
  expect(report).toMatchObject({ outcome: 'SETTLED', policy: 'own' })
  expect(carryOut()).toEqual(report)
  const { runs } = JSON.parse(done('runs list --state other --json'))
  expect(runs).toHaveLength(1)
  done('setup doctor --state other')
})

test("a repository of one's own installs, tests itself, plans its policy, and deploys nothing without AWS", () => {
  const packed = path.join(folder, 'packages')
  packPackages(packed)
  start('npm', ['pack', '--silent', '--ignore-scripts', path.join(packed, 'infra'), path.dirname(tarball)], folder)
  done(`setup repository own --packages ${folder} --no-input --kind rebalance --name own --weights BTC=0.5,USDC=0.5`)
  const own = path.join(home, 'own')
  const npm = (...args: string[]) => {
    const { status, stdout, stderr } = start('npm', args, own)
    expect(status, stdout + stderr).toBe(0)
  }
  npm('install', '--ignore-scripts', '--no-audit', '--no-fund')
  npm('test')
  const sluiceThere = (...words: string[]) =>
    spawnSync('npx', ['sluice', ...words], { cwd: own, encoding: 'utf8', env: variables() })
  const plan = sluiceThere('plan', 'own', '--json')
  expect(JSON.parse(plan.stdout), plan.stderr).toMatchObject({ policy: 'own' })
  expect(sluiceThere('deploy', '--yes')).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/RegionMissing[\s\S]*\nnothing was deployed\n$/),
  })
})
