// The package `sluice`, installed by npm from its tarball into an empty folder, as a stranger does: without scripts, and
// with no checkout beside it. It needs npm's registry, for LevelDB's binding.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseTreasury } from '../../core/treasury/config.ts'
import { packPackages } from '../../packages/pack.ts'
import { packCommand } from '../../packages/pack-command.ts'
import { folderOfFile } from '../helpers/folders.ts'
import { commandsIn, runWaitingIn } from '../integration/cli/commands-table.ts'
import { type Answer, toldAws, WELL } from '../integration/cli/reported-aws.ts'
import { policiesOf, ROWS } from '../integration/policies/kinds.ts'

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

describe('in an empty folder of another user, who may not write to the package', () => {
  // Only root can start a process of another user. The temporary folder of tests is closed to others.
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  const elsewhere = mkdtempSync('/tmp/sluice-elsewhere-')
  const work = path.join(elsewhere, 'work')
  const options = (env = {}) => ({ cwd: work, ...user, env: { PATH, HOME: work, ...env } })
  const command = path.join(elsewhere, 'node_modules/sluice/bin/sluice.cjs')
  beforeAll(() => {
    chmodSync(elsewhere, 0o755)
    cpSync(path.join(home, 'node_modules'), path.join(elsewhere, 'node_modules'), { recursive: true })
    mkdirSync(work)
    if (user.uid !== undefined) chownSync(work, user.uid, user.gid)
  })
  afterAll(() => rmSync(elsewhere, { recursive: true, force: true }))

  function ended(words: readonly string[], env = {}) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...words, '--json'], {
      ...options(env),
      encoding: 'utf8',
    })
    return { exitCode: status, stdout, stderr }
  }

  test('every command ends with its code, and gives JSON only', () => {
    const variables = { SLUICE_CONFIG: path.join(work, 'policies.json'), SLUICE_STATE: path.join(work, 'state') }
    let waiting = ''
    for (const { name, argv, exitCode } of commandsIn(work)) {
      const done = ended([...name.split(' '), ...argv(waiting)], variables)
      expect.soft(done.exitCode, `${name} ${argv(waiting).join(' ')}: ${done.stderr}`).toBe(exitCode)
      waiting = runWaitingIn(done) ?? waiting
    }
  })

  describe('with a policy of each kind', () => {
    const place = ['--state', 'kinds', '--config', 'kinds.json']
    const treasuryOf = (policies: object) => ({ service: { url: 'https://service.example', stage: 'test' }, policies })

    beforeAll(() => {
      writeFileSync(path.join(work, 'kinds.json'), JSON.stringify(treasuryOf({})))
      const contacts = new Map<string, string>()
      for (const { id, reference } of JSON.parse(ended(['service', 'contacts', ...place]).stdout))
        contacts.set(reference, id)
      const payouts = { payouts: { kind: 'payouts', assets: ['EUR'] } }
      const policies = policiesOf((reference) => contacts.get(reference) ?? '', {})
      writeFileSync(path.join(work, 'kinds.json'), JSON.stringify(treasuryOf({ ...policies, ...payouts })))
      const contactId = contacts.get('house-bank-eur')
      const rows = Array.from({ length: 10 }, (_, at) => ({
        id: `row-${at}`,
        contactId,
        asset: 'EUR',
        amount: `${at + 5}`,
      }))
      writeFileSync(path.join(work, 'rows.jsonl'), rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
    })

    test.each([
      ...ROWS.map(({ name, machine }) => ({ name, words: ['run', machine, name] })),
      { name: 'payouts', words: ['payouts', 'run', 'rows.jsonl', '--policy', 'payouts'] },
    ])('a run of $name is killed and repeated, and is one run', async ({ name, words }) => {
      const all = [...words, '--id', `kill-${name}`, ...place]
      const child = spawn(process.execPath, [command, ...all], { ...options(), stdio: ['ignore', 'ignore', 'pipe'] })
      child.stderr.on('data', (text) => {
        if (/Plan(Sweep|Rebalance)/.test(`${text}`)) child.kill('SIGKILL')
      })
      await once(child, 'close')
      const first = ended(all)
      expect(first, first.stderr).toMatchObject({ exitCode: 0 })
      const report = JSON.parse(first.stdout)
      expect(report).toMatchObject(name === 'payouts' ? {} : { policy: name })
      expect(JSON.parse(ended(all).stdout)).toEqual(report)
      const { runs } = JSON.parse(ended(['runs', 'list', '--policy', name, ...place]).stdout)
      expect(runs).toHaveLength(1)
    })
  })
})

describe("a repository of one's own", () => {
  const tell = toldAws()
  let own: string
  beforeAll(() => {
    const packed = path.join(folder, 'packages')
    packPackages(packed)
    start('npm', ['pack', '--silent', '--ignore-scripts', path.join(packed, 'infra'), path.dirname(tarball)], folder)
    done(`setup repository own --packages ${folder} --no-input --kind rebalance --name own --weights BTC=0.5,USDC=0.5`)
    own = path.join(home, 'own')
    expect(start('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], own).status).toBe(0)
  })

  /** A line of a pipeline, in its shell. Asynchronous, because AWS answers from this process. */
  async function shell(line: string, more: Readonly<Record<string, string | undefined>> = {}) {
    const env = { PATH, HOME: home, ...more }
    const child = spawn('bash', ['-c', line], { cwd: own, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
    const [code] = await once(child, 'close')
    return { code, output }
  }

  test('tests itself: templates and plans are what its file says', async () => {
    const { code, output } = await shell('npm test')
    expect(code, output).toBe(0)
    expect(output).toContain('pass 3')
  })

  test('tours its own policies, and agrees where a person is asked', async () => {
    const { code, output } = await shell('npm start')
    expect(code, output).toBe(0)
    expect(output).toContain('npx sluice run rebalance own --id tour-own')
    expect(output).toMatch(/AWAITING_APPROVAL[\s\S]*npx sluice approve[\s\S]*SETTLED[\s\S]*nothing found/)
  })

  const WEIGHTS = { BTC: '0.5', USDC: '0.5' }
  const fileOf = (guards: object) => ({
    service: { url: 'https://service.example', stage: 'test' },
    guards,
    policies: { own: { kind: 'rebalance', mode: 'shadow', weights: WEIGHTS } },
  })
  const DEPLOYED = fileOf({ worstSlippageBps: 50 })
  const described = {
    body: {
      ...{
        outcome: 'DESCRIBED',
        release: '0.0.1',
        configuration: '0'.repeat(64),
        treasury: parseTreasury(JSON.stringify(DEPLOYED)),
      },
      serviceUrl: DEPLOYED.service.url,
    },
  }
  const nothing = { status: 404, body: { __type: 'ResourceNotFoundException' } }

  test.each<[string, string, Answer, object, string | undefined, boolean]>([
    ['nothing is deployed, and nobody expects that', '0', nothing, DEPLOYED, 'setup diff', false],
    ['it is the first deployment', '8', nothing, DEPLOYED, undefined, true],
    [
      'a bound is loosened, and nobody expects that',
      '0',
      described,
      fileOf({ worstSlippageBps: 60 }),
      'setup diff',
      false,
    ],
    // There are no keys that could be verified.
    ['a bound is loosened, as expected', '7', described, fileOf({ worstSlippageBps: 60 }), '--after-deploy', true],
    ['a bound is tightened', '0', described, fileOf({ worstSlippageBps: 40 }), '--after-deploy', true],
  ])('its pipelines stop or deploy where %s', async (_case, EXPECTED, answer, file, stop, isDeployed) => {
    tell({ 'sluice-describe': answer, ...WELL })
    writeFileSync(path.join(own, 'treasury.json'), JSON.stringify(file))
    writeFileSync(path.join(own, 'node_modules/aws-cdk/bin/cdk'), "require('node:fs').writeFileSync('deployed', '')")
    const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = process.env
    const variables = { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, EXPECTED }
    for (const pipeline of ['buildspec.yml', '.github/workflows/deploy.yml']) {
      rmSync(path.join(own, 'deployed'), { force: true })
      const stopped = await play(linesOf(pipeline), variables)
      if (stop === undefined) expect(stopped, pipeline).toBeUndefined()
      else expect(stopped, pipeline).toContain(stop)
      expect(existsSync(path.join(own, 'deployed'))).toBe(isDeployed)
    }
  })

  /** @returns the line that ended with another code than 0, and what it printed */
  async function play(lines: readonly string[], variables: Readonly<Record<string, string | undefined>>) {
    for (const line of lines) {
      const { code, output } = await shell(line, variables)
      if (code !== 0) return `${line}\n${output}`
    }
    return undefined
  }

  /** The lines of a pipeline after the installation and the tests, which are tested above. */
  function linesOf(pipeline: string): readonly string[] {
    const text = readFileSync(path.join(own, pipeline), 'utf8')
    const lines = [...text.matchAll(/^ +- (?:run: )?((?:npm|npx|if) .*)$/gm)].map(([, line = '']) => line)
    expect(lines).toEqual(expect.arrayContaining(['npm ci --ignore-scripts', 'npm test']))
    return lines.filter((line) => !line.startsWith('npm '))
  }
})
