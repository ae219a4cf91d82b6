// Kills the whole embedded run (command line, embedded AWS and built-in sandbox in one process) at random moments. It
// starts the same command again each time, and judges by the sandbox's own ledger.
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { ProfileName } from '@sluice/service-sandbox'
import { openBuiltInSandbox } from '../../../place/service/built-in-sandbox.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { type Ended, startSluice } from '../../integration/cli/command-line.ts'
import { seededRandom } from '../../simulation/choices.ts'
import type { Given, Played } from '../campaign.ts'
import { mannersOf, TIMING } from './kills.ts'

/** Parallel lanes with a state directory each, to use two cores. */
const LANES = 2
const MOST_KILLS_OF_ONE = 3
const LONGEST_RUN_MS = 300_000
/** A run that waits for a fence does most of its work before this. */
const LATEST_KILL_MS = 20_000

const REQUESTS = {
  convert: { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.05' },
  withdraw: { assetSymbol: 'USDC', amount: '20', contactReference: 'subsidiary' },
  rebalance: { policy: 'balanced' },
  sweep: { policy: 'nightly' },
} as const
type RunVerb = keyof typeof REQUESTS
const VERBS = Object.keys(REQUESTS) as RunVerb[]

/** Available balances at the start of a run, so that each run has the same work: a sell and a buy, or three legs. */
const GIVEN: Partial<Record<RunVerb, Readonly<Record<string, string>>>> = {
  rebalance: { LTC: '100', LINK: '0', USD: '5000' },
  sweep: { SOL: '150', XRP: '900' },
}

function treasuryOf(contactId: string) {
  const rules = [
    { assets: ['SOL'], keep: { target: '100' }, contactId },
    { assets: ['XRP'], convertInto: 'USDC', contactId },
  ]
  const policies = {
    balanced: { kind: 'rebalance', weights: { LTC: '0.3', LINK: '0.3', USD: '0.4' } },
    nightly: { kind: 'sweep', rules },
  }
  return { service: { url: 'https://api.example.com', stage: 'test', shared: false }, timing: TIMING, policies }
}

interface Counts {
  kills: number
  intents: number
  movements: number
}

export async function killWholeRuns({ size: mostKills, seed, profile }: Omit<Given, 'keep'>): Promise<Played> {
  const random = seededRandom(seed)
  const seeds = Array.from({ length: LANES }, () => Math.floor(random() * 2 ** 32))
  const counts: Counts = { kills: 0, intents: 0, movements: 0 }
  const violations = (await Promise.all(seeds.map((lane) => killInLane(lane, mostKills, counts, profile)))).flat()
  return { violations, facts: [`kills ${counts.kills}, intents ${counts.intents}, movements ${counts.movements}`] }
}

/** Runs until all lanes together have killed often enough, and returns the violations. */
async function killInLane(
  seed: number,
  mostKills: number,
  counts: Counts,
  profile: ProfileName | undefined,
): Promise<string[]> {
  const random = seededRandom(seed)
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-kill-'))
  const violations: string[] = []
  const movements = new Map<string, string>()
  const note = (ids: readonly string[], run: string) => {
    for (const id of ids) {
      if (movements.has(id)) violations.push(`${run}: ${id} is also what ${movements.get(id)} moved`)
      movements.set(id, run)
    }
  }
  try {
    await prepare(dir, seed, profile)
    const usualMs = await measure(dir, violations, note)
    for (let intent = 1; counts.kills < mostKills; intent += 1) {
      const verb = VERBS[intent % VERBS.length] as RunVerb
      const args = argsOf(dir, verb, `${verb}-${intent}`)
      await give(dir, verb)
      const wanted = 1 + Math.floor(random() * MOST_KILLS_OF_ONE)
      for (let kill = 0; kill < wanted && counts.kills < mostKills; kill += 1) {
        if (await killAt(args, random() * Math.min(usualMs[verb], LATEST_KILL_MS))) counts.kills += 1
      }
      counts.intents += 1
      note(readResult(await runToEnd(args), await runToEnd(args), `${verb}-${intent}`, violations), `${verb}-${intent}`)
    }
    violations.push(...(await judge(dir, movements, counts)))
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
  return violations
}

const sandboxFile = (dir: string) => builtInFolder(path.join(dir, 'state')).sandboxFile

/** Creates the world before any command does, because the treasury names its contacts. The world keeps its profile. */
async function prepare(dir: string, seed: number, profile: ProfileName | undefined): Promise<void> {
  const manners = mannersOf(profile)
  const arranged = profile === undefined ? {} : { profile, manners, seed: `kill ${seed}` }
  const sandbox = await openBuiltInSandbox(sandboxFile(dir), arranged)
  await sandbox.stop()
  const contact = sandbox.contacts.find(({ reference }) => reference === 'subsidiary')
  if (contact === undefined) throw new Error('the sandbox has no contact subsidiary')
  writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(treasuryOf(contact.id)))
  for (const verb of VERBS) writeFileSync(path.join(dir, `${verb}.json`), JSON.stringify(REQUESTS[verb]))
}

/** Sets balances while no command has the world open. */
async function give(dir: string, verb: RunVerb): Promise<void> {
  const balances = Object.entries(GIVEN[verb] ?? {})
  if (balances.length === 0) return
  const sandbox = await openBuiltInSandbox(sandboxFile(dir))
  try {
    for (const [assetSymbol, balance] of balances) {
      const body = JSON.stringify({ assetSymbol, balance })
      const answer = await fetch(`${sandbox.controlUrl}/balance`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`the balance was not set: ${await answer.text()}`)
    }
  } finally {
    await sandbox.stop()
  }
}

function argsOf(dir: string, verb: RunVerb, id: string): string[] {
  const files = ['--input', path.join(dir, `${verb}.json`), '--config', path.join(dir, 'treasury.json')]
  return ['run', verb, '--id', id, ...files, '--state', path.join(dir, 'state'), '--json']
}

/** Measures how long a run takes that nobody kills. The moments are drawn from this time and a little more. */
async function measure(
  dir: string,
  violations: string[],
  note: (ids: readonly string[], run: string) => void,
): Promise<Record<RunVerb, number>> {
  const usualMs = { convert: 0, withdraw: 0, rebalance: 0, sweep: 0 }
  const run = async (verb: RunVerb, id: string): Promise<number> => {
    await give(dir, verb)
    const startedMs = performance.now()
    const ended = await runToEnd(argsOf(dir, verb, id))
    note(readResult(ended, ended, id, violations), id)
    return performance.now() - startedMs
  }
  // The first run of a directory also synthesizes.
  await run('convert', 'first')
  for (const verb of VERBS) usualMs[verb] = (await run(verb, `unkilled-${verb}`)) * 1.1
  return usualMs
}

/** Kills a run that is stuck after the longest time. It is then reported as a bad end. */
async function runToEnd(args: readonly string[]): Promise<Ended> {
  const running = startSluice(args)
  const timer = setTimeout(() => running.child.kill('SIGKILL'), LONGEST_RUN_MS)
  try {
    return await running.ended
  } finally {
    clearTimeout(timer)
  }
}

/** Returns false if the run had ended before. */
async function killAt(args: readonly string[], afterMs: number): Promise<boolean> {
  const running = startSluice(args)
  const timer = setTimeout(() => running.child.kill('SIGKILL'), afterMs)
  const { signal } = await running.ended
  clearTimeout(timer)
  return signal === 'SIGKILL'
}

/** The movements that a command reports: one, or one for each leg. */
interface ReportedMovement {
  readonly orderId?: string
  readonly withdrawalId?: string
  readonly legs?: readonly { readonly conversion?: ReportedMovement; readonly withdrawal?: ReportedMovement }[]
}

/** The reported movements by kind and id, because ids are unique only within their kind. */
function readResult(first: Ended, second: Ended, id: string, violations: string[]): string[] {
  if (first.exitCode !== 0) {
    violations.push(`${id}: exit ${first.exitCode}: ${first.stderr.trim().split('\n').at(-1)}`)
  }
  if (second.stdout !== first.stdout) violations.push(`${id}: its second result is another`)
  // The command could not report how it ended.
  if (first.stdout === '') return []
  const { legs, ...whole } = JSON.parse(first.stdout) as ReportedMovement
  const movements = legs?.map(({ conversion, withdrawal }) => conversion ?? withdrawal ?? {}) ?? [whole]
  const ids = movements.flatMap(({ orderId, withdrawalId }) => {
    if (orderId !== undefined) return [keyOf({ kind: 'order', id: orderId })]
    return withdrawalId === undefined ? [] : [keyOf({ kind: 'withdrawal', id: withdrawalId })]
  })
  if (ids.length === 0 || ids.length < movements.length) violations.push(`${id}: ${ids.length} movements are told`)
  return ids
}

interface Movement {
  readonly kind: string
  readonly id: string
}

const keyOf = ({ kind, id }: Movement): string => `${kind} ${id}`

/** Compares the reported movements with the sandbox's own. `movements` must be all of them. */
async function judge(dir: string, movements: ReadonlyMap<string, string>, counts: Counts): Promise<string[]> {
  const stateFile = path.join(dir, 'judged.log')
  copyFileSync(sandboxFile(dir), stateFile)
  const sandbox = await openBuiltInSandbox(stateFile)
  try {
    const answer = await fetch(`${sandbox.controlUrl}/oracle`)
    const oracle = (await answer.json()) as {
      readonly movements: readonly Movement[]
      readonly invariants: { readonly ok: boolean }
    }
    const booked = oracle.movements.map(keyOf)
    counts.movements += movements.size
    return [
      ...[...movements].filter(([id]) => !booked.includes(id)).map(([id, run]) => `${run}: ${id} never moved`),
      ...(booked.length === movements.size
        ? []
        : [`${booked.length} movements, where ${movements.size} were asked for`]),
      ...(oracle.invariants.ok ? [] : ['the ledger does not balance']),
    ]
  } finally {
    await sandbox.stop()
  }
}
