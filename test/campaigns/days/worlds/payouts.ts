// Payout files are given, given again, saved without leading zeros, under other ids, corrected, given to two policies at once, and
// held over midnight, while the service fails. Some need an approval, and not all get one. One file has more rows than a request
// holds. On one day an insider changes a page of it, on the next its plan after people have approved it, and on the third nobody does.
import type { PayoutRow } from '../../../../core/contract/payouts.ts'
import type { WithdrawLeg } from '../../../../core/contract/plan.ts'
import { IntentKind } from '../../../../core/contract/records.ts'
import type { RunRecord } from '../../../../core/runs/record/run-record.ts'
import type { Evidence } from '../evidence.ts'
import type { Hands } from '../hands.ts'
import { unpaidRows } from '../observer/payouts.ts'
import { readAccount } from '../observer/sends.ts'
import type { World } from '../world.ts'
import { byTime, calmBefore, chances, daily, fileOf, START_MS, setBalance } from './base.ts'

/** One more than the journal keeps on a page. */
const LONG = 101
/** The part of the long file's records that an insider changes, by day. */
const INSIDERS = ['page', 'plan', undefined] as const
/** Below every row, so that each file of such a policy waits for people. */
const ASKS = { approval: { above: '50', expiresAfterSeconds: 1_800 } }

export const payouts: World = {
  name: 'payouts',
  says: 'payout files come twice, corrected, at once and at midnight, and an insider changes rows of a long file',
  startMs: START_MS,
  plot(seed, days, contact) {
    const chance = chances(seed)
    const rowsOf = rowMaker(contact)
    const kept = new Map<number, DaysFiles>()
    const filesOf = (day: number): DaysFiles => {
      const known = kept.get(day) ?? drawFiles(day, rowsOf)
      kept.set(day, known)
      return known
    }
    const each = (hour: number, act: (hands: Hands, files: DaysFiles, day: number) => unknown) =>
      daily(START_MS, days, hour, async (hands, day) => void (await act(hands, filesOf(day), day)))
    /** The run whose plan an insider is about to change. */
    let forged: string | undefined
    return {
      file: fileOf(
        {
          bills: payoutsOf({}),
          branch: payoutsOf({}),
          wages: payoutsOf(ASKS),
          bulk: payoutsOf({ ...ASKS, from: [{ asset: 'USD' }] }),
        },
        { quietHours: [{ from: '23:58', to: '00:02' }] },
      ),
      happenings: byTime(
        [calmBefore(START_MS)],
        each(7.8, (hands) => {
          for (const asset of ['USDC', 'EUR']) setBalance(hands, asset, 8_000)
          setBalance(hands, 'USD', 30_000)
          for (const fault of FAULTS) if (chance('fault') < 0.5) hands.control('/rules', fault)
        }),
        each(8, (hands, { bills, branch }, day) =>
          Promise.all([
            hands.pay('bills', bills),
            day % 2 === 1 && hands.pay('branch', [...bills.slice(0, 3), ...branch]),
          ]),
        ),
        // On the other days some seconds later, while the first movements are under way.
        each(
          8.001,
          (hands, { bills, branch }, day) => day % 2 === 0 && hands.pay('branch', [...bills.slice(0, 3), ...branch]),
        ),
        each(8.3, (hands, { bills }) => hands.pay('bills', bills)),
        // A row that may have moved has another amount: nothing of this file moves.
        each(9, (hands, { bills, added }) => hands.pay('bills', [...bills.map(dearer), ...added])),
        each(9.3, (hands, { bills, added }) => hands.pay('bills', [...bills, ...added])),
        each(10, (hands, { wages }) => hands.pay('wages', wages)),
        each(10.2, (hands, _files, day) => day % 2 === 0 && hands.approve('ana')),
        // Overlaps the file before, which nobody approved on some days.
        each(11, (hands, { wages, raises }) => hands.pay('wages', [...wages.slice(1), ...raises])),
        each(11.2, (hands, _files, day) => day % 2 === 1 && hands.approve('ana')),
        each(12, (hands) => hands.clearRules()),
        each(14, async (hands, { long, redirect }, day) => {
          const insider = INSIDERS[day % INSIDERS.length]
          setBalance(hands, 'USDC', insider === 'page' ? 12_000 : 6_000)
          if (insider === 'page') await hands.forgePage(long, redirect)
          const run = await hands.pay(insider === 'page' ? 'branch' : 'bulk', long)
          forged = insider === 'plan' ? run : undefined
        }),
        each(14.3, (hands) => hands.approve('ana')),
        // All once more, with a service that answers.
        each(19.9, (hands) => setBalance(hands, 'USDC', 5_000)),
        each(20, (hands, { bills, added }) => hands.pay('bills', [...bills, ...added])),
        each(20.1, (hands, { branch, numbered }) => hands.pay('branch', [...branch, ...numbered])),
        each(20.2, (hands, { wages, raises }) => hands.pay('wages', [...wages, ...raises])),
        each(20.4, (hands) => hands.approve('bob')),
        each(21, (hands, { numbered }) => hands.pay('branch', numbered.map(withoutZeros))),
        // The same payments under other ids wait for people, who agree on every other day.
        each(21.2, (hands, { numbered }) => hands.pay('branch', numbered.map(underOtherId))),
        each(21.4, (hands, _files, day) => day % 2 === 1 && hands.approve('ana')),
        // The quiet hours hold it, because a token would live into them.
        each(23.96, (hands, { late }) => hands.pay('bills', late)),
      ),
      onStep({ what, execution }, hands) {
        // The conversion of the approved plan is about to begin, and the withdrawals come after it.
        if (forged === undefined || what !== 'PlanSweep' || execution !== `${forged}_2`) return
        const run = forged
        forged = undefined
        void hands.forge(run, redirectLast)
      },
      expect: (evidence) =>
        everyRowMoves(
          evidence,
          [...kept].flatMap(([day, files]) => honestRows(files, day)),
        ),
    }
  },
}

interface DaysFiles {
  readonly bills: readonly PayoutRow[]
  readonly branch: readonly PayoutRow[]
  /** Their ids are digits alone. */
  readonly numbered: readonly PayoutRow[]
  readonly added: readonly PayoutRow[]
  readonly wages: readonly PayoutRow[]
  readonly raises: readonly PayoutRow[]
  readonly long: readonly PayoutRow[]
  readonly late: readonly PayoutRow[]
  /** An insider's change of a row: another payee. */
  readonly redirect: (row: PayoutRow) => PayoutRow
}

type RowsOf = (name: string, count: number, assets?: readonly string[]) => PayoutRow[]

function drawFiles(day: number, rowsOf: RowsOf): DaysFiles {
  const named = (name: string, count: number, assets?: readonly string[]) => rowsOf(`d${day}-${name}`, count, assets)
  const bills = named('bill', 6)
  const [first] = bills
  const long = named('long', LONG, ['USDC'])
  return {
    // Two rows with the same terms are two payments.
    bills: first === undefined ? bills : [...bills, { ...first, id: `d${day}-bill-twin` }],
    branch: named('branch', 2),
    numbered: named('number', 2).map((row, index) => ({ ...row, id: `00${day}${index}` })),
    added: named('added', 2),
    wages: named('wage', 4),
    raises: named('raise', 1),
    long,
    late: named('late', 3),
    redirect: (row) => ({
      ...row,
      contactId: long.find((other) => other.contactId !== row.contactId)?.contactId ?? '',
    }),
  }
}

/** Makes rows whose amounts differ, so that the ledger tells them apart. */
function rowMaker(contact: (reference: string) => string): RowsOf {
  const payees: Readonly<Record<string, readonly string[]>> = {
    USDC: [contact('cold-usdc-polygon'), contact('subsidiary')],
    EUR: [contact('house-bank-eur'), contact('subsidiary')],
  }
  let made = 0
  return (name, count, assets = ['USDC', 'EUR']) =>
    Array.from({ length: count }, (_, index) => {
      made += 1
      const asset = assets[index % assets.length] ?? ''
      const own = payees[asset] ?? []
      return {
        id: `${name}-${String(index).padStart(3, '0')}`,
        contactId: own[Math.floor(index / assets.length) % own.length] ?? '',
        ...{ asset, amount: (100 + made / 100).toFixed(2), reference: name },
      }
    })
}

function payoutsOf(more: object) {
  return { kind: 'payouts', assets: ['USDC', 'EUR'], runLifeSeconds: 3_600, breaker: { failures: 100 }, ...more }
}

function dearer(row: PayoutRow): PayoutRow {
  return { ...row, amount: (Number(row.amount) + 50).toFixed(2) }
}

/** As a spreadsheet saves a list. */
function withoutZeros(row: PayoutRow): PayoutRow {
  return { ...row, id: String(Number(row.id)) }
}

function underOtherId(row: PayoutRow): PayoutRow {
  return { ...row, id: `again-${row.id}` }
}

const SENDS = { method: 'POST', path: '/v2/withdrawals', times: 'always' }
const FAULTS = [
  { match: { ...SENDS, probability: 0.2 }, fault: { kind: 'dropAfterCommit' } },
  { match: { ...SENDS, probability: 0.2 }, fault: { kind: 'dropBeforeCommit' } },
  { match: { ...SENDS, probability: 0.2 }, fault: { kind: 'errorAfterCommit', status: 500, code: 'internal_error' } },
  { match: { ...SENDS, probability: 0.3 }, fault: { kind: 'lateVisibility', ms: 40_000 } },
  { match: { ...SENDS, probability: 0.3 }, fault: { kind: 'failLater', afterMs: 2_000 } },
  {
    match: { method: 'GET', path: '/v2/*', probability: 0.02, times: 'always' },
    fault: { kind: 'errorBeforeCommit', status: 503, code: 'maintenance' },
  },
]

/** The plan of a run with another payee in its last leg. */
function redirectLast({ plan }: RunRecord): Partial<RunRecord> {
  const isWithdrawal = (leg: { readonly kind: string }): leg is WithdrawLeg => leg.kind === IntentKind.Withdraw
  const last = plan?.legs
    .filter(isWithdrawal)
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .at(-1)
  const other = plan?.legs.filter(isWithdrawal).find(({ contactId }) => contactId !== last?.contactId)
  if (plan === undefined || last === undefined || other?.payee === undefined) return {}
  const { contactId, payee } = other
  const redirected = { ...last, contactId, payee, request: { ...last.request, contactId } }
  return { plan: { ...plan, legs: plan.legs.map((leg) => (leg.key === last.key ? redirected : leg)) } }
}

/** Rows that people gave, and approved where they are asked, in a file that nobody changed. */
function honestRows(
  { bills, branch, numbered, added, wages, raises, late, long }: DaysFiles,
  day: number,
): readonly PayoutRow[] {
  return [
    ...bills,
    ...branch,
    ...numbered,
    ...added,
    ...wages,
    ...raises,
    ...late,
    ...(INSIDERS[day % INSIDERS.length] === undefined ? long : []),
  ]
}

function everyRowMoves(evidence: Evidence, rows: readonly PayoutRow[]): string[] {
  const unpaid = unpaidRows(readAccount(evidence).sends, [{ rows }])
  return unpaid.map(({ id }) => `row ${id} was given and approved, and nothing moved it`)
}
