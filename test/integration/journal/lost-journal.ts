// Runs the common steps of both sizes of the test of a lost journal: movements, a loss, the commands of the runbook,
// and every id again.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject } from 'vitest'
import { StateMachine } from '../../../core/contract/states.ts'
import { type OpenDesk, RestoredDesk } from '../../helpers/restored-desk.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
/** Its price guard refuses it. */
const REFUSED = { ...BUY, worstRate: '1' }
const SEND = { assetSymbol: 'USDC', amount: '20', contactReference: 'exchange-usdc-eth' }

export interface Asked {
  readonly id: string
  readonly machine: StateMachine
  readonly input: object
}

/** The first of ten ids withdraws, the next two are refused, and the other seven convert. */
function askedFor(from: number, to: number): Asked[] {
  return Array.from({ length: to - from }, (_, index) => {
    const id = `lost-${from + index}`
    const place = index % 10
    if (place === 0) return { id, machine: StateMachine.Withdraw, input: SEND }
    return { id, machine: StateMachine.Convert, input: place === 1 || place === 9 ? REFUSED : BUY }
  })
}

const UNDER_WAY: readonly Asked[] = ['one', 'two'].map((name) => ({
  id: `under-way-${name}`,
  machine: StateMachine.Convert,
  input: BUY,
}))

/** Waits until a step of each has answered. */
async function untilJournalled({ aws }: OpenDesk): Promise<void> {
  const hasAnswered = ({ id, machine }: Asked) => {
    const found = aws.findExecution(machine, id)
    return (
      found !== undefined &&
      aws.history(found.executionArn).some(({ stateExitedEventDetails }) => stateExitedEventDetails)
    )
  }
  while (!UNDER_WAY.every(hasAnswered)) await new Promise((resolve) => setImmediate(resolve))
}

async function runAll(desk: OpenDesk, asked: readonly Asked[], suffix = ''): Promise<string[]> {
  const outcomes: string[] = []
  const AT_ONCE = 4
  for (let from = 0; from < asked.length; from += AT_ONCE) {
    const part = asked.slice(from, from + AT_ONCE)
    const ended = await Promise.all(part.map(({ id, input, machine }) => desk.run(machine, `${id}${suffix}`, input)))
    outcomes.push(...ended.map(({ outcome }) => outcome))
  }
  return outcomes
}

/** The commands of docs/runbook.md, "The journal is lost or restored", in order, with consent. */
function commandsOfRunbook(): string[][] {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/runbook.md'), 'utf8')
  const [, section = ''] = page.split('## The journal is lost or restored\n')
  const [, block = ''] = /```sh\n([\s\S]*?)```/.exec(section) ?? []
  const filled: Readonly<Record<string, string>> = { NAME: 'ada', TEXT: 'nothing was found' }
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [command = ''] = line.split('#')
      const words = command.trim().split(/ +/).slice(2)
      const asks = words.includes('--write') || words.includes('--accept')
      return [
        ...words.filter((word) => word !== '--aws').map((word) => filled[word] ?? word),
        ...(asks ? ['--yes'] : []),
        // On AWS the decision is signed; at a desk a name is given.
        ...(words[0] === 'resume' ? ['--by', 'ada'] : []),
      ]
    })
}

/** Forgets executions, as AWS does after 90 days. */
export function forgetExecutions(desk: RestoredDesk, prefix: string): number {
  const executions = path.join(desk.awsDir, 'executions')
  const files = readdirSync(executions, { recursive: true, encoding: 'utf8' })
  const old = files.filter((file) => path.basename(file).startsWith(prefix) && file.endsWith('.jsonl'))
  for (const file of old) rmSync(path.join(executions, file))
  return old.length
}

/** Many tests use it, so its assembly is synthesized once for all of them. */
const PLAIN_TREASURY = JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test', shared: false } })

/** Runs a command beside the state directory. */
export function sluiceAt(desk: RestoredDesk, words: readonly string[]) {
  const config = path.join(desk.stateDir, 'treasury.json')
  writeFileSync(config, PLAIN_TREASURY)
  return runInProcess([...words, '--state', desk.stateDir, '--config', config])
}

export type Loss = 'restored' | 'lost'

/** A closed desk that has moved money, and whose database was copied in between. A test takes a copy of it. */
export interface MovedWorld {
  readonly desk: RestoredDesk
  /** The requests before the copy of the database, and those after it. */
  readonly before: readonly Asked[]
  readonly since: readonly Asked[]
  /** The movements in the sandbox's own books. */
  readonly moved: readonly string[]
}

/** `ids`: the total; half of them are requested before the copy. */
export async function makeWorld(ids: number): Promise<MovedWorld> {
  const desk = new RestoredDesk(inject('assemblyDir'))
  const before = askedFor(0, ids / 2)
  const since = askedFor(ids / 2, ids)
  await desk.open(async (open) => {
    await runAll(open, before)
    // Wherever these are when the desk closes, their records are older than their later acts.
    for (const { id, input, machine } of UNDER_WAY) {
      await open.aws.startExecution({ stateMachine: machine, name: id, input: JSON.stringify(input) })
    }
    await untilJournalled(open)
  })
  desk.copyDatabase()
  const moved = await desk.open(async (open) => {
    for (const { id, machine } of UNDER_WAY) await open.untilFinished(machine, id)
    await runAll(open, since)
    return open.movements()
  })
  return { desk, before, since, moved }
}

export async function loseAndRebuild(world: MovedWorld, loss: Loss): Promise<void> {
  const { before, moved, since } = world
  const ids = before.length + since.length
  const desk = world.desk.copy()
  try {
    expect(moved.length).toBeGreaterThan(ids / 2)

    if (loss === 'restored') desk.putBack()
    else desk.loseDatabase()
    const [verify, dry, write, attention, verifyAgain, accept, resume] = commandsOfRunbook().map(
      (words) => () => sluiceAt(desk, words),
    )
    expect(await verify?.()).toMatchObject({ exitCode: 3 })
    // A missing table cannot be read; --write creates an empty one.
    expect(await dry?.()).toMatchObject({ exitCode: loss === 'restored' ? 0 : 3 })
    const rebuilt = await write?.()
    expect(rebuilt).toMatchObject({
      exitCode: 0,
      stderr: expect.stringContaining('without an execution: 0 movements'),
    })
    const lines = rebuilt?.stdout.trim().split('\n') ?? []
    // Every id has its proof in its executions, so nobody is asked.
    expect(lines.filter((line) => line.includes('ESCALATED'))).toEqual([])
    const least = loss === 'restored' ? since.length : ids + UNDER_WAY.length
    const written = Number(/(\d+) records? written/.exec(rebuilt?.stderr ?? '')?.[1])
    expect(written).toBeGreaterThanOrEqual(least)
    expect(written).toBeLessThanOrEqual(loss === 'restored' ? least + UNDER_WAY.length : least)
    expect((await write?.())?.stderr).toContain('0 records written')
    // No id is listed, only that sending is halted.
    expect((await attention?.())?.stdout).not.toContain('lost-')
    expect(await verifyAgain?.()).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('nothing found') })
    expect(await accept?.()).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('accepted') })
    expect(await resume?.()).toMatchObject({ exitCode: 0 })

    await desk.open(async (open) => {
      const outcomes = await runAll(open, [...before, ...since, ...UNDER_WAY], '_2')
      expect(await open.movements()).toEqual(moved)
      // A journaled outcome is reported; a rebuilt one exists, or is a zero.
      expect(new Set(outcomes)).toEqual(new Set(outcomes.filter((each) => ENDS.includes(each))))
      // A new id moves.
      expect(await open.run(StateMachine.Convert, 'after-it-all', BUY)).toMatchObject({ outcome: 'FILLED' })
    })
    expect(await sluiceAt(desk, ['journal', 'verify'])).toMatchObject({ exitCode: 0 })
  } finally {
    desk.remove()
  }
}

const ENDS = ['FILLED', 'COMPLETED', 'STUCK', 'PRICE_REFUSED']
