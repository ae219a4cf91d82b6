// Lists every movement of ours by the service's ledger: what left, when, the rest, and the configuration in force. The
// journal names only its owner; nothing else comes from the product.
import type { Guards } from '../../../../core/contract/guards.ts'
import type { Policy } from '../../../../core/contract/policies.ts'
import type { LedgerEntry } from '../books.ts'
import type { Evidence, Movement, Span } from '../evidence.ts'
import type { FileInForce } from '../treasury-file.ts'
import { createMids, type Mids } from './mids.ts'

export interface Send {
  readonly id: string
  readonly kind: Movement['kind']
  /** When it was accepted. */
  readonly atMs: number
  /** When the movement's own execution began. */
  readonly beganMs: number
  /** When its legs were planned. */
  readonly planned: Span
  readonly policy: string
  /** The policy's first name. */
  readonly owner: string
  readonly run: string
  /** The asset that the movement took from the account, the amount taken, and that amount less what came back. */
  readonly asset: string
  readonly taken: number
  readonly kept: number
  /** The available balance right after. */
  readonly left: number
  readonly movement: Movement
  /** The result of a conversion; undefined for a withdrawal. */
  readonly brought: { readonly asset: string; readonly amount: number } | undefined
  readonly guards: Guards
  /** The policy at the time of the plan, and at the send, when it may have been removed. */
  readonly policies: readonly Policy[]
}

export interface Account {
  readonly sends: readonly Send[]
  readonly mids: Mids
}

export function readAccount(evidence: Evidence): Account {
  const { oracle, seed, deeds } = evidence
  const openedAtMs = Date.parse(oracle.ledger.find(({ source }) => source.type === 'opening')?.at ?? '')
  const sends = oracle.movements.flatMap((movement) => sendOf(movement, evidence))
  return { sends: sends.sort((one, other) => one.atMs - other.atMs), mids: createMids(seed, openedAtMs, deeds) }
}

function sendOf(movement: Movement, evidence: Evidence): Send[] {
  const { oracle, whose } = evidence
  const { policy, run, beganMs } = whose.get(movement.id) ?? {}
  const own = oracle.ledger.filter((entry) => (entry.orderId ?? entry.source.id) === movement.id)
  const first = own.find(({ from }) => from === 'available')
  // A movement without an owner is another finding.
  if (policy === undefined || run === undefined || beganMs === undefined || first === undefined) return []
  const atMs = Date.parse(movement.at)
  const back = sum(own.filter(({ asset, to }) => asset === first.asset && to === 'available'))
  const gains = own.filter(({ asset, to }) => asset !== first.asset && to === 'available')
  const taken = sum(own.filter(({ asset, from }) => asset === first.asset && from === 'available'))
  const planned = plannedAt(run, beganMs, evidence)
  const inForce = fileAt(evidence.files, atMs)
  const policies = [fileAt(evidence.files, planned.toMs), inForce].flatMap(
    ({ treasury }) => treasury.policies[policy] ?? [],
  )
  return [
    {
      ...{ id: movement.id, kind: movement.kind, atMs, beganMs, planned, policy, run, movement },
      ...{ asset: first.asset, taken, kept: taken - back, left: leftAfter(first, oracle.ledger) },
      ...{ owner: firstName(policy, evidence.files), guards: inForce.treasury.guards, policies },
      brought: gains[0] && { asset: gains[0].asset, amount: sum(gains) },
    },
  ]
}

function sum(entries: readonly LedgerEntry[]): number {
  return entries.reduce((total, { amount }) => total + Number(amount), 0)
}

function leftAfter(entry: LedgerEntry, ledger: readonly LedgerEntry[]): number {
  let left = 0
  for (const each of ledger) {
    if (each.asset === entry.asset && each.to === 'available') left += Number(each.amount)
    if (each.asset === entry.asset && each.from === 'available') left -= Number(each.amount)
    if (each === entry) break
  }
  return left
}

/** The last planning before its leg began. */
function plannedAt(run: string, beganMs: number, { runs }: Evidence): Span {
  const spans = runs.filter(({ name }) => name.split('_', 1)[0] === run).flatMap(({ plannings }) => plannings)
  const before = spans.filter(({ toMs }) => toMs <= beganMs).sort((one, other) => one.toMs - other.toMs)
  return before.at(-1) ?? { fromMs: beganMs, toMs: beganMs }
}

export function fileAt(files: readonly FileInForce[], atMs: number): FileInForce {
  const found = files.findLast((file) => file.atMs <= atMs) ?? files[0]
  if (found === undefined) throw new Error('there was no file')
  return found
}

/** The first name of a policy that may have been renamed. */
export function firstName(policy: string, files: readonly FileInForce[]): string {
  return files.toReversed().reduce((name, { renamed }) => renamed[name] ?? name, policy)
}

/** The name of a send in a finding. */
export function nameOf({ kind, id, policy, run, atMs }: Send): string {
  return `${kind} ${id} of ${policy} (run ${run}, ${new Date(atMs).toISOString()})`
}
