// Nothing of ours is stranded without a report. What a policy brought to a hub, or converted in order to send it, moves
// on, or the policy's last report mentions it. Only this judge reads reports of the product.
import { RunEnd } from '../../../../core/contract/runs.ts'
import type { Evidence, RunEvidence } from '../evidence.ts'
import { passingAssets } from './assets-of.ts'
import type { Mids } from './mids.ts'
import { firstName, type Send } from './sends.ts'

/** USD that no report has to mention, because rounding and fees leave it. */
const DUST_USD = 25

interface Left {
  readonly owner: string
  readonly asset: string
  readonly amount: number
  /** The run that last added to it. */
  readonly run: string
  readonly atMs: number
}

export function judgeStranded(sends: readonly Send[], mids: Mids, evidence: Evidence): string[] {
  return leftBehind(sends, evidence).flatMap((left) => {
    const { owner, asset, atMs, run } = left
    const amount = Math.min(left.amount, availableOf(asset, evidence))
    const worth = amount * (mids.worth(asset, 'USD', { fromMs: atMs, toMs: atMs }) ?? 0)
    if (worth <= DUST_USD || isReported(left, evidence)) return []
    return [`stranded: ${amount} ${asset} that run ${run} of ${owner} brought is still there, and nothing tells of it`]
  })
}

function leftBehind(sends: readonly Send[], { oracle }: Evidence): Left[] {
  const left = new Map<string, Left>()
  const own = Map.groupBy(sends, ({ id }) => id)
  const available = new Map<string, number>()
  for (const entry of oracle.ledger) {
    const { asset, from, to, amount, source, orderId } = entry
    const change = (to === 'available' ? Number(amount) : 0) - (from === 'available' ? Number(amount) : 0)
    const now = (available.get(asset) ?? 0) + change
    available.set(asset, now)
    const movementId = orderId ?? source.id
    const [send] = own.get(movementId) ?? []
    // Handles each send once, at its first entry.
    own.delete(movementId)
    if (send) noteSend(left, send)
    else if (change < 0) noteTaken(left, asset, now)
  }
  return [...left.values()]
}

function noteSend(left: Map<string, Left>, { owner, policies, asset, kept, brought, run, atMs }: Send): void {
  const passing = policies[0] === undefined ? [] : passingAssets(policies[0])
  const known = left.get(`${owner} ${asset}`)
  if (known) left.set(`${owner} ${asset}`, { ...known, amount: Math.max(0, known.amount - kept) })
  if (brought === undefined || !passing.includes(brought.asset)) return
  const key = `${owner} ${brought.asset}`
  const amount = (left.get(key)?.amount ?? 0) + brought.amount
  left.set(key, { owner, asset: brought.asset, amount, run, atMs })
}

/** Others who take from the balance take it for good, and what they put there later is theirs. */
function noteTaken(left: Map<string, Left>, asset: string, available: number): void {
  for (const [key, known] of left) {
    if (known.asset === asset) left.set(key, { ...known, amount: Math.min(known.amount, available) })
  }
}

function availableOf(asset: string, { oracle }: Evidence): number {
  return oracle.ledger.reduce((sum, entry) => {
    if (entry.asset !== asset) return sum
    const amount = Number(entry.amount)
    return sum + (entry.to === 'available' ? amount : 0) - (entry.from === 'available' ? amount : 0)
  }, 0)
}

/** Whether the last report of the policy, under any name, mentions it. */
function isReported({ owner, asset, run, atMs }: Left, { runs, files }: Evidence): boolean {
  const own = runs.filter(
    ({ policy, name, startedAt, report }) =>
      report !== undefined &&
      firstName(policy ?? '', files) === owner &&
      (Date.parse(startedAt) > atMs || name.split('_', 1)[0] === run),
  )
  const last = own.sort((one, other) => Date.parse(one.startedAt) - Date.parse(other.startedAt)).at(-1)
  return last !== undefined && mentions(last, asset, run)
}

const SILENT: ReadonlySet<string> = new Set([RunEnd.Settled, RunEnd.NothingToDo, RunEnd.AlreadyRunning])

function mentions({ name, report }: RunEvidence, asset: string, run: string): boolean {
  // A run reports its own failure by its outcome.
  if (name.split('_', 1)[0] === run) return report !== undefined && !SILENT.has(report.outcome)
  const texts = [report?.residues, report?.why, report?.plan?.guards, report?.plan?.nonLegs]
  return new RegExp(`\\b${asset}\\b`).test(JSON.stringify(texts))
}
