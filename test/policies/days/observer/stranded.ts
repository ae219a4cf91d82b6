// Nothing of ours is stranded without being told: what a policy brought to a hub, or converted to send it on, goes on,
// or the last that is heard of the policy names it. That is the one place where reports of the product are looked at.
import { RunEnd } from '../../../../core/contract/runs.ts'
import type { Evidence, RunEvidence } from '../evidence.ts'
import { passingAssets } from './assets-of.ts'
import type { Mids } from './mids.ts'
import { firstName, type Send } from './sends.ts'

/** USD that nobody has to tell of: what rounding and fees leave. */
const DUST_USD = 25

interface Left {
  readonly owner: string
  readonly asset: string
  readonly amount: number
  /** The run that brought to it last. */
  readonly run: string
  readonly atMs: number
}

export function judgeStranded(sends: readonly Send[], mids: Mids, evidence: Evidence): string[] {
  return leftBehind(sends).flatMap((left) => {
    const { owner, asset, atMs, run } = left
    const amount = Math.min(left.amount, availableOf(asset, evidence))
    const worth = amount * (mids.worth(asset, 'USD', { fromMs: atMs, toMs: atMs }) ?? 0)
    if (worth <= DUST_USD || isTold(left, evidence)) return []
    return [`stranded: ${amount} ${asset} that run ${run} of ${owner} brought is still there, and nothing tells of it`]
  })
}

function leftBehind(sends: readonly Send[]): Left[] {
  const left = new Map<string, Left>()
  for (const { owner, policies, asset, kept, brought, run, atMs } of sends) {
    const passing = policies[0] === undefined ? [] : passingAssets(policies[0])
    const known = left.get(`${owner} ${asset}`)
    if (known) left.set(`${owner} ${asset}`, { ...known, amount: Math.max(0, known.amount - kept) })
    if (brought === undefined || !passing.includes(brought.asset)) continue
    const key = `${owner} ${brought.asset}`
    const amount = (left.get(key)?.amount ?? 0) + brought.amount
    left.set(key, { owner, asset: brought.asset, amount, run, atMs })
  }
  return [...left.values()]
}

function availableOf(asset: string, { oracle }: Evidence): number {
  return oracle.ledger.reduce((sum, entry) => {
    if (entry.asset !== asset) return sum
    const amount = Number(entry.amount)
    return sum + (entry.to === 'available' ? amount : 0) - (entry.from === 'available' ? amount : 0)
  }, 0)
}

/** By the last report of the policy, whatever it is called by then. */
function isTold({ owner, asset, run, atMs }: Left, { runs, files }: Evidence): boolean {
  const own = runs.filter(
    ({ policy, name, startedAt, report }) =>
      report !== undefined &&
      firstName(policy ?? '', files) === owner &&
      (Date.parse(startedAt) > atMs || name.split('_', 1)[0] === run),
  )
  const last = own.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt)).at(-1)
  return last !== undefined && tells(last, asset, run)
}

const SILENT: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.NothingToDo, RunEnd.AlreadyRunning])

function tells({ name, report }: RunEvidence, asset: string, run: string): boolean {
  // Of its own failure a run tells by its end.
  if (name.split('_', 1)[0] === run) return report !== undefined && !SILENT.has(report.outcome)
  const said = [report?.residues, report?.why, report?.plan?.guards, report?.plan?.nonLegs]
  return new RegExp(`\\b${asset}\\b`).test(JSON.stringify(said))
}
