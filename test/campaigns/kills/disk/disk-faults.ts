// Fails the disk at a drawn write of a command, or kills the command there, and then runs the same line again over the
// healed disk. What was acknowledged must be on disk, a desk that could not write must have ended, and each id must have
// moved once. The witness is a service in this process, which no fault reaches.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import path from 'node:path'
import { compileDisk, type Order } from '../../../helpers/power-cut/failing-disk.ts'
import { seededRandom } from '../../../simulation/choices.ts'
import { type EndedInProcess, runInProcess } from '../../../unit/cli/run-in-process.ts'
import type { Given, Played } from '../../campaign.ts'
import { type Lane, openLane } from './lane.ts'

const LANES = 2
/** Draws over one directory: the first is at its first command. */
const DRAWS_OF_A_DIRECTORY = 6
/** Milliseconds within which a desk must have ended. */
const LONGEST_END_MS = 20_000
/** Assumed number of calls of a command, until a draw beyond its last call has counted them. */
const MOST_CALLS = 60
/** Milliseconds after which every fence has passed. */
const SETTLED_MS = 300_000

/** `first`: the first command of a new directory. `served`: two clients of a desk. */
type When = 'first' | 'later' | 'served'
const FAULTS = ['kill', 'power cut', 'ENOSPC', 'EDQUOT', 'EROFS', 'EIO', 'EACCES', 'EMFILE'] as const
/** Parts of paths: any file, and each class of files. */
const FILES = ['', '/dynamodb', '/executions/', '/aws/', 'secrets.json', '/definitions', '/lock', '.json']
/** A desk ends after a fault in these files. */
const ENDING = ['/dynamodb', '/executions/']
const FOR_GOOD = 1_000_000_000
const TIMES = [1, 4, 30, FOR_GOOD]

interface Draw {
  readonly when: When
  readonly fault: (typeof FAULTS)[number]
  readonly order: Order
}

interface Tally {
  draws: number
  intents: number
  /** How often disturbed commands ended so. */
  readonly ends: Map<string, number>
  /** Number of calls of an undisturbed command, learned from draws beyond its last call. */
  readonly calls: Map<string, number>
}

const REQUEST = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.05' }
const TREASURY = { service: { url: 'https://api.example.com', stage: 'test', shared: false } }

export async function failDisks({ size: mostKills, seed }: Given): Promise<Played> {
  const random = seededRandom(seed)
  const dir = mkdtempSync(path.join(tmpdir(), 'sluice-disk-faults-'))
  const tally: Tally = { draws: 0, intents: 0, ends: new Map(), calls: new Map() }
  const seeds = Array.from({ length: LANES }, () => Math.floor(random() * 2 ** 32))
  try {
    writeFileSync(path.join(dir, 'input.json'), JSON.stringify(REQUEST))
    writeFileSync(path.join(dir, 'treasury.json'), JSON.stringify(TREASURY))
    const library = compileDisk(dir)
    const synthesized = path.join(dir, 'synthesized')
    const first = await runInProcess(convertArgs(dir, synthesized, 'a'))
    if (first.exitCode !== 0) throw new Error(`the assembly was not written: ${first.stderr}`)
    const lanes = seeds.map(async (lane, index) => {
      const laneDir = path.join(dir, `lane-${index}`)
      mkdirSync(laneDir)
      return failInLane(await openLane(laneDir, library, synthesized), dir, seededRandom(lane), mostKills, tally)
    })
    const violations = (await Promise.all(lanes)).flat()
    const ends = [...tally.ends].sort().map(([end, count]) => `${String(count).padStart(6)} ${end}`)
    return { violations, facts: [...ends, `disk faults ${tally.draws}, intents ${tally.intents}`] }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

function convertArgs(dir: string, state: string, id: string): string[] {
  return ['run', 'convert', '--id', id, '--input', path.join(dir, 'input.json'), ...placeArgs(dir, state)]
}

function placeArgs(dir: string, state: string): string[] {
  return ['--state', state, '--config', path.join(dir, 'treasury.json')]
}

async function failInLane(
  lane: Lane,
  dir: string,
  random: () => number,
  mostDraws: number,
  tally: Tally,
): Promise<string[]> {
  const violations: string[] = []
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item
  try {
    while (tally.draws < mostDraws) {
      await lane.renew()
      let intents = 0
      for (let n = 0; n < DRAWS_OF_A_DIRECTORY && tally.draws < mostDraws; n += 1) {
        const draw = drawn(n === 0 ? 'first' : pick(['later', 'served']), pick, random, tally)
        const ids = draw.when === 'served' ? [`id-${n}`, `id-${n}-next`] : [`id-${n}`]
        intents += ids.length
        tally.intents += ids.length
        const found = await tryDraw(lane, dir, draw, ids, tally)
        const moved = await lane.service().orderIds()
        if (moved.length !== intents) found.push(`${moved.length} movements, where ${intents} were asked for`)
        violations.push(...found.map((words) => `${JSON.stringify(draw)}: ${words}`))
        // Later draws would only repeat it.
        if (found.length > 0) break
      }
    }
  } finally {
    await lane.close()
  }
  return violations
}

function drawn(when: When, pick: <Item>(items: readonly Item[]) => Item, random: () => number, tally: Tally): Draw {
  const fault = pick(FAULTS)
  const named = pick(FILES)
  const most = tally.calls.get(callsKey(when, named, fault)) ?? MOST_CALLS
  const code = fault === 'kill' || fault === 'power cut' ? 0 : constants.errno[fault]
  const times = fault === 'EROFS' ? FOR_GOOD : pick(TIMES)
  return { when, fault, order: { named, from: 1 + Math.floor(random() * most), times, code } }
}

function callsKey(when: When, named: string, fault: Draw['fault']): string {
  return `${when} ${named} ${fault === 'EMFILE'}`
}

/** Returns the violations. */
async function tryDraw(lane: Lane, dir: string, draw: Draw, ids: readonly string[], tally: Tally): Promise<string[]> {
  const { fault, order, when } = draw
  const violations: string[] = []
  const line = (id: string) => [...convertArgs(dir, lane.state(), id), ...lane.serviceArgs()]
  const told: (EndedInProcess | undefined)[] = []
  if (when === 'served') {
    const serving = await lane.start(['serve', '--no-console', ...placeArgs(dir, lane.state()), ...lane.serviceArgs()])
    lane.disk.order(order)
    for (const id of ids) told.push(await runInProcess(line(id)))
    const mustEnd = lane.disk.met().hits > 0 && ENDING.includes(order.named) && fault !== 'EMFILE'
    const ended = mustEnd ? await serving.endedWithin(LONGEST_END_MS) : await serving.interrupt()
    if (ended === 'late') violations.push('the desk did not end')
  } else {
    lane.disk.order(order)
    for (const id of ids) told.push(await (await lane.start(line(id))).ended)
  }
  const { calls, hits } = lane.disk.met()
  lane.disk.heal()
  if (hits === 0) tally.calls.set(callsKey(when, order.named, fault), Math.max(1, calls))
  else {
    tally.draws += 1
    for (const end of told)
      count(tally.ends, `${when}, ${fault}: ${end === undefined ? 'killed' : `exit ${end.exitCode}`}`)
    // The process that could not write has ended, and its lock is free.
    lane.endProcess()
  }
  if (fault === 'power cut' && hits > 0) lane.cutPower()
  else lane.settle()
  await lane.service().advance(SETTLED_MS)
  for (const [index, id] of ids.entries()) {
    const before = told[index]
    const again = await (await lane.start(line(id))).ended
    if (again?.exitCode !== 0) violations.push(`${id} ended ${JSON.stringify(again)}, after ${JSON.stringify(before)}`)
    else if (before?.exitCode === 0 && before.stdout !== again.stdout)
      violations.push(`${id} was acknowledged as ${before.stdout}, and is ${again.stdout}`)
  }
  return violations
}

function count(ends: Map<string, number>, end: string): void {
  ends.set(end, (ends.get(end) ?? 0) + 1)
}
