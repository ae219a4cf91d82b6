// Each row of a payout file moves at most once, over all files that have its id: its amount of its asset, to its payee. The same
// again under another id of another file moves only if people approved it.
// Nothing else leaves for a policy that pays files, and nothing leaves unapproved that is above the policy's bound. Files
// come from the people who gave them, and movements from the service's ledger.
import type { PayoutRow } from '../../../../core/contract/payouts.ts'
import { PolicyKind } from '../../../../core/contract/policies.ts'
import type { GivenFile } from '../give-file.ts'
import type { Approved } from '../hands.ts'
import { nameOf, type Send } from './sends.ts'

export interface GivenAndApproved {
  readonly payouts: readonly GivenFile[]
  readonly approvals: readonly Pick<Approved, 'run' | 'atMs'>[]
}

export function judgePayouts(sends: readonly Send[], { payouts, approvals }: GivenAndApproved): string[] {
  const moved = new Map<string, number>()
  return sends.flatMap((send) => {
    const [policy] = send.policies
    if (policy?.kind !== PolicyKind.Payouts || send.movement.kind !== 'withdrawal' || send.kept === 0) return []
    const terms = termsOfSend(send)
    const files = payouts.filter(({ atMs, rows }) => atMs <= send.atMs && rows.some((row) => termsOfRow(row) === terms))
    if (files.length === 0) return [`payout: ${nameOf(send)} moved ${terms}, and no given file has such a row`]
    const found: string[] = []
    const times = (moved.get(terms) ?? 0) + 1
    moved.set(terms, times)
    const ids = idsOf(files, terms)
    if (times > ids.size)
      found.push(`payout: with ${nameOf(send)}, ${terms} moved ${times} times, for ${[...ids].join(', ')}`)
    const isApproved = files.some(({ run }) =>
      approvals.some((approved) => approved.run === run && approved.atMs <= send.atMs),
    )
    if (isApproved) return found
    if (policy.approval !== undefined && send.kept > Number(policy.approval.above))
      found.push(`payout: ${nameOf(send)} moved ${terms}, and nobody had approved a file with it`)
    if (times <= ids.size && files.every((file) => idsOf([file], terms).size < times))
      found.push(`payout: ${nameOf(send)} moved ${terms} again, under another id, and nobody had approved it`)
    return found
  })
}

/** Rows of these files that no movement has paid, by the same books. */
export function unpaidRows(sends: readonly Send[], files: readonly Pick<GivenFile, 'rows'>[]): PayoutRow[] {
  const moved = Map.groupBy(
    sends.filter(({ kept, movement }) => kept > 0 && movement.kind === 'withdrawal'),
    termsOfSend,
  )
  const rows = new Map(files.flatMap((file) => file.rows.map((row) => [row.id, row])))
  return [...rows.values()].filter((row) => moved.get(termsOfRow(row))?.pop() === undefined)
}

function idsOf(files: readonly GivenFile[], terms: string): ReadonlySet<string> {
  const rows = files.flatMap((file) => file.rows.filter((row) => termsOfRow(row) === terms))
  return new Set(rows.map(({ id }) => (/^\d+$/.test(id) ? String(BigInt(id)) : id.toLowerCase())))
}

function termsOfRow({ amount, asset, contactId }: PayoutRow): string {
  return `${Number(amount)} ${asset} to ${contactId}`
}

function termsOfSend({ asset, movement: { amount, contactId } }: Send): string {
  return `${Number(amount)} ${asset} to ${contactId}`
}
