// Draws histories of an account, and audits them in many calls: calls end, fail and are killed anywhere, and two work side
// by side. The slices are small here.
import fc from 'fast-check'
import { expect } from 'vitest'
import { isWholeAudit, type ReconcileReport } from '../../../core/contract/reconcile.ts'
import { AUDIT_WALK } from '../../../core/contract/records.ts'
import { type TooMany as TooManyItems, Transient } from '../../../core/errors.ts'
import type { Watermarks } from '../../../core/journal/watermarks.ts'
import { DATING_SLACK_MS } from '../../../core/movements/withdrawal/known-rows.ts'
import type * as limits from '../../../functions/reconcile/limits.ts'
import type * as Product from '../../../functions/reconcile/reconcile.ts'
import { readModules } from '../../mutation/module-graph.ts'
import { type Fault, type LedgerOrder, type Moved, SyntheticAccount } from './synthetic-account.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.parse('2026-02-10T00:00:00.000Z')
/** Audits after the last movement. The second one reports what the first has seen and left waiting. */
const LAST_AUDITS = 3

/** Slices of at most eight movements, and a ledger that is walked at once up to twenty entries. */
const SMALL: Readonly<Record<keyof typeof limits, number>> = {
  ...{ MOST_MOVEMENTS: 8, MOST_WALKED: 20, YOUNGER_IN_A_ROW: 12, OLDER_IN_A_ROW: 12, MOST_OUT_OF_ORDER: 24 },
}

/** The audit knows only its own class of this error. */
export type Variant = typeof Product & { readonly TooMany: typeof TooManyItems }

interface History {
  readonly moved: readonly Moved[]
  readonly ledger: LedgerOrder
  /** After how many slices each call ends, in turn. */
  readonly slices: readonly number[]
  /** Which reads fail, counted from the last failure. */
  readonly failures: readonly number[]
  /** Milliseconds that pass with each read, so that movements arrive meanwhile. */
  readonly readMs: number
  /** After which records of its progress a call is killed, counted from the last kill. */
  readonly kills: readonly number[]
  /** How many turns another audit gets at each read, in turn. Empty: only one audit works at a time. */
  readonly turns: readonly number[]
}

const FAULTS: readonly Fault[] = [
  'unclaimed_movement',
  'missing_entry',
  'differing_entry',
  'unlisted_entry',
  'missing_movement',
]

/** `mostBehindMs`: how long before it shows a movement may be dated. */
const movedWithin = (mostBehindMs: number): fc.Arbitrary<Moved> =>
  fc
    .record({
      kind: fc.constantFrom('order' as const, 'withdrawal' as const),
      afterMs: fc.integer({ min: 5_000, max: 20 * HOUR_MS }),
      behindMs: fc.oneof(
        { weight: 12, arbitrary: fc.integer({ min: 0, max: 2_000 }) },
        { weight: 1, arbitrary: fc.integer({ min: 0, max: mostBehindMs }) },
        // While an audit goes on for hours, a movement arrives as late as the service may date it back.
        { weight: 1, arbitrary: fc.integer({ min: Math.floor(mostBehindMs * 0.9), max: mostBehindMs }) },
      ),
      fault: fc.option(fc.constantFrom(...FAULTS), { nil: undefined, freq: 8 }),
    })
    .map(({ kind, afterMs, behindMs, fault }) => {
      const shownAtMs = START_MS + afterMs
      // A record of an intent is never dated behind, and only the record shows that its movement is missing.
      const datedAtMs = fault === 'missing_movement' ? shownAtMs : shownAtMs - behindMs
      return { kind, shownAtMs, datedAtMs, ...(fault !== undefined && { fault }) }
    })

const historyWithin = (mostBehindMs: number): fc.Arbitrary<History> =>
  fc.record({
    moved: fc.array(movedWithin(mostBehindMs), { minLength: 30, maxLength: 120, size: 'max' }),
    ledger: fc.constantFrom<LedgerOrder>('newest first', 'oldest first', 'by date, newest first'),
    slices: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 5 }),
    failures: fc.array(fc.integer({ min: 20, max: 900 }), { maxLength: 4 }),
    readMs: fc.integer({ min: 0, max: 2_000 }),
    kills: fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }),
    turns: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 5 }),
  })

interface Ended {
  readonly findings: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

class Killed extends Error {}

/** An audit every hour and its continuations, until all movements are judged and judged again. */
async function audited(history: History, { reconcile, isUnfinished, TooMany }: Variant): Promise<Ended> {
  const account = await begun(history, TooMany)
  const reports: ReconcileReport[] = []
  disturb(account, history)
  let calls = 0
  let audits = 0
  for (let ticks = 0; ticks < 2_000 && audits < LAST_AUDITS; ticks += 1) {
    account.nowMs += HOUR_MS / 4
    // The first audits come late, as after an outage.
    if (ticks < 40 || (ticks % 4 !== 0 && !(await isUnfinished(account.watermarks)))) continue
    const call = async () => {
      let left = history.slices[calls++ % history.slices.length] ?? 1
      const ports = account.ports(() => --left > 0)
      const { watermarks, hasEnded } = watched(account.watermarks, killsOf.get(account) ?? [])
      try {
        const report = await reconcile({}, { ...ports, watermarks })
        // If two audits have judged the same, only one of them ends it.
        return hasEnded() && isWholeAudit(report) ? [report] : []
      } catch (error) {
        if (error instanceof Transient || error instanceof Killed) return []
        throw error
      }
    }
    const ended = (await Promise.all(history.turns.length > 0 ? [call(), call()] : [call()])).flat()
    reports.push(...ended)
    const isLate = ({ begunAt, youngSince }: ReconcileReport) =>
      Date.parse(begunAt ?? youngSince) > START_MS + 21 * HOUR_MS
    audits += ended.filter(isLate).length
  }
  return endedOf(account, reports)
}

const killsOf = new WeakMap<SyntheticAccount, number[]>()

/** Lets time and other audits pass at each read, and some reads fail. */
function disturb(account: SyntheticAccount, { failures, readMs, turns, kills }: History): void {
  const left = [...failures]
  killsOf.set(account, [...kills])
  let sinceFailure = 0
  let reads = 0
  account.onRead = async () => {
    account.nowMs += readMs
    reads += 1
    sinceFailure += 1
    for (let turn = turns[reads % turns.length] ?? 0; turn > 0; turn -= 1) await Promise.resolve()
    if (sinceFailure !== left[0]) return
    left.shift()
    sinceFailure = 0
    throw new Transient('the service did not answer')
  }
}

/** Kills the call after a record of its progress. The last record of an audit is not killed, because its report is due. */
function watched(watermarks: Watermarks, kills: number[]): { watermarks: Watermarks; hasEnded: () => boolean } {
  let records = 0
  let hasEnded = false
  return {
    watermarks: {
      find: watermarks.find,
      async move(walk, found, walked) {
        const moved = await watermarks.move(walk, found, walked)
        hasEnded = moved !== undefined && walked.unfinished === undefined
        if (hasEnded || ++records !== kills[0]) return moved
        kills.shift()
        throw new Killed()
      },
    },
    hasEnded: () => hasEnded,
  }
}

async function begun({ moved, ledger }: History, TooMany: typeof TooManyItems): Promise<SyntheticAccount> {
  const account = new SyntheticAccount(START_MS, moved, ledger, TooMany)
  const through = new Date(START_MS).toISOString()
  await account.watermarks.move(AUDIT_WALK, undefined, { through, told: [], seenSince: {} })
  return account
}

function endedOf(account: SyntheticAccount, reports: readonly ReconcileReport[]): Ended {
  const sum = (name: 'orders' | 'withdrawals') => reports.reduce((total, report) => total + report[name], 0)
  const findings = account.told.map(({ finding, movementId, intentId }) => `${finding} ${intentId ?? movementId}`)
  return {
    findings: [...new Set(findings)].sort(),
    counts: { orders: sum('orders'), withdrawals: sum('withdrawals') },
  }
}

function expectedOf({ moved }: Pick<History, 'moved'>): Ended {
  const shown = moved.toSorted((left, right) => left.shownAtMs - right.shownAtMs)
  const findings = shown.flatMap(({ kind, fault }, nth) => {
    if (fault === undefined) return []
    const id = { missing_movement: `intent-${nth}`, unlisted_entry: `unlisted-${nth}` }[fault as string]
    return [`${fault} ${id ?? `${kind}-${nth}`}`]
  })
  const count = (wanted: Moved['kind']) =>
    moved.filter(({ kind, fault }) => kind === wanted && fault !== 'missing_movement').length
  return { findings: findings.sort(), counts: { orders: count('order'), withdrawals: count('withdrawal') } }
}

/** Faults are found whenever movements are dated, and counts are those of movements that are dated when they show. */
export const finds = (variant: Variant) =>
  fc.asyncProperty(historyWithin(DATING_SLACK_MS), async (each) => {
    expect((await audited(each, variant)).findings).toEqual(expectedOf(each).findings)
  })
export const counts = (variant: Variant) =>
  fc.asyncProperty(historyWithin(2_000), async (each) => {
    expect(await audited(each, variant)).toEqual(expectedOf(each))
  })

/** The audit with small slices. */
export async function smallAudit(): Promise<Variant> {
  const modules = await readModules<Variant>(['functions/reconcile/reconcile.ts', 'core/errors.ts'])
  const source = Object.entries(SMALL).map(([name, limit]) => `export const ${name} = ${limit}`)
  return modules.load(new Map([['functions/reconcile/limits.ts', source.join('\n')]]))
}
