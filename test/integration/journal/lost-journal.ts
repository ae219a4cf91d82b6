// What both sizes of the test of a lost journal do: movements, a loss, the commands of the runbook, and every id again.
import { expect, inject } from 'vitest'
import { StateMachine } from '../../../core/contract/states.ts'
import { type OpenDesk, RestoredDesk } from '../../helpers/restored-desk.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'

const BUY = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
/** Its price guard refuses it. */
const REFUSED = { ...BUY, worstRate: '1' }
const SEND = { assetSymbol: 'USDC', amount: '20', contactReference: 'exchange-usdc-eth' }

interface Asked {
  readonly id: string
  readonly machine: StateMachine
  readonly input: object
}

/** Of ten ids, seven convert, two are refused, one withdraws. */
function askedFor(from: number, to: number): Asked[] {
  return Array.from({ length: to - from }, (_, index) => {
    const nth = from + index
    const id = `lost-${nth}`
    if (nth % 10 === 9) return { id, machine: StateMachine.Withdraw, input: SEND }
    return { id, machine: StateMachine.Convert, input: nth % 10 > 6 ? REFUSED : BUY }
  })
}

const UNDER_WAY: readonly Asked[] = ['one', 'two', 'three', 'four'].map((name) => ({
  id: `under-way-${name}`,
  machine: StateMachine.Convert,
  input: BUY,
}))

/** Until a step of each has answered. */
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

/** A command of docs/runbook.md, "The journal is lost or restored", beside the state directory. */
export function sluiceAt(desk: RestoredDesk, words: readonly string[]) {
  return runInProcess([...words, '--state', desk.stateDir])
}

export type Loss = 'restored' | 'lost'

/** `ids`: in all; half of them are asked for before the copy is made. */
export async function loseAndRebuild(loss: Loss, ids: number): Promise<void> {
  const desk = new RestoredDesk(inject('assemblyDir'))
  try {
    const before = askedFor(0, ids / 2)
    const since = askedFor(ids / 2, ids)
    await desk.open(async (open) => {
      await runAll(open, before)
      // Wherever these are when the desk closes, their records are older than what they do then.
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
    expect(moved.length).toBeGreaterThan(ids / 2)

    if (loss === 'restored') desk.putBack()
    else desk.loseDatabase()
    expect(await sluiceAt(desk, ['journal', 'rebuild'])).toMatchObject({ exitCode: loss === 'restored' ? 0 : 3 })

    const write = ['journal', 'rebuild', '--write', '--by', 'ada', '--yes']
    const rebuilt = await sluiceAt(desk, [...write, '--json'])
    expect({ exitCode: rebuilt.exitCode, stderr: rebuilt.stderr }).toEqual({ exitCode: 0, stderr: '' })
    const { lines, unclaimed } = JSON.parse(rebuilt.stdout) as { lines: { write: string }[]; unclaimed: unknown[] }
    expect(unclaimed).toEqual([])
    // Every id has its proof in its executions: nobody is asked.
    const least = loss === 'restored' ? since.length : ids + UNDER_WAY.length
    expect(lines.length).toBeGreaterThanOrEqual(least)
    expect(lines.length).toBeLessThanOrEqual(loss === 'restored' ? least + UNDER_WAY.length : least)
    expect(lines.filter(({ write: text }) => text === 'ESCALATED')).toEqual([])
    expect(await sluiceAt(desk, [...write, '--json']).then(({ stdout }) => JSON.parse(stdout).lines)).toEqual([])

    expect(await sluiceAt(desk, ['journal', 'verify'])).toMatchObject({ exitCode: 3 })
    const accept = ['journal', 'verify', '--accept', '--by', 'ada', '--because', 'nothing found', '--yes']
    const accepted = await sluiceAt(desk, accept)
    expect(accepted).toMatchObject({ exitCode: 0 })
    expect(await sluiceAt(desk, ['resume', '--by', 'ada'])).toMatchObject({ exitCode: 0 })

    await desk.open(async (open) => {
      const outcomes = await runAll(open, [...before, ...since, ...UNDER_WAY], '_2')
      expect(await open.movements()).toEqual(moved)
      // What is in the journal as it was is told; what was rebuilt exists, or is a zero.
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
