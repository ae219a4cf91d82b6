// Decides what an ended execution means for its caller: a complete success is the result, and everything else is thrown.
// An end that this version does not know counts as in doubt.
import { MovedInPart, MovedNothing, NeedsPerson, OwnFault } from './errors.ts'
import { type ConvertReport, findReport, type Report, type RunReport, type WithdrawReport } from './reports.ts'
import type { Execution } from './step-functions.ts'

type Meaning = 'done' | 'nothing' | 'part' | 'own fault' | 'person' | 'later'

/** Every named end of a conversion but FAILED. A test compares the names with the product's. */
export const CONVERSION_ENDS: Readonly<Record<string, Meaning>> = {
  FILLED: 'done',
  PRICE_REFUSED: 'nothing',
  EXPIRED_OUT: 'nothing',
  REJECTED: 'nothing',
  OWN_FAULT: 'own fault',
  STUCK: 'person',
  NEEDS_ATTENTION: 'person',
}

export const WITHDRAWAL_ENDS: Readonly<Record<string, Meaning>> = {
  COMPLETED: 'done',
  REJECTED: 'nothing',
  EXHAUSTED: 'nothing',
  /** The full total came back. */
  FAILED_REFUNDED: 'nothing',
  OWN_FAULT: 'own fault',
  STUCK: 'person',
  NEEDS_ATTENTION: 'person',
}

export const RUN_ENDS: Readonly<Record<string, Meaning>> = {
  SETTLED: 'done',
  NOTHING_TO_DO: 'done',
  SHADOWED: 'done',
  PARTLY_SETTLED: 'part',
  /** It moved in full, and missed its target. */
  OFF_TARGET: 'part',
  NOTHING_MOVED: 'nothing',
  GUARDED: 'nothing',
  HALTED: 'nothing',
  ALREADY_RUNNING: 'nothing',
  /** The run is entered again once people have decided. */
  AWAITING_APPROVAL: 'later',
  DISAPPROVED: 'nothing',
  APPROVAL_VOID: 'nothing',
  FAILED: 'nothing',
  OWN_FAULT: 'own fault',
  NEEDS_ATTENTION: 'person',
}

type ResultOf<Result> = (execution: Execution) => Result | undefined

export const conversionResult = (id: string): ResultOf<ConvertReport> => judgeBy(id, meaningOfConversion)
export const withdrawalResult = (id: string): ResultOf<WithdrawReport> =>
  // Only the balance shows the refund: a person looks for it before it is paid again.
  judgeBy(id, (report) => ('isByBalance' in report ? 'person' : meaningIn(WITHDRAWAL_ENDS, report.outcome)))
export const runResult = (id: string): ResultOf<RunReport> => judgeBy(id, ({ outcome }) => meaningIn(RUN_ENDS, outcome))

function judgeBy<Result extends Report>(id: string, meaningOf: (report: Report) => Meaning): ResultOf<Result> {
  return ({ status, output, cause, error }) => {
    // An end that needs people fails its execution, with the report as the cause.
    const report = findReport(status === 'SUCCEEDED' ? output : cause)
    if (report === undefined) {
      throw new NeedsPerson(id, undefined, `its execution is ${status}${error === undefined ? '' : ` (${error})`}`)
    }
    switch (meaningOf(report)) {
      case 'done':
        return report as Result
      case 'later':
        return undefined
      case 'nothing':
        throw new MovedNothing(id, report)
      case 'part':
        throw new MovedInPart(id, report)
      case 'own fault':
        throw new OwnFault(id, report)
      case 'person':
        throw new NeedsPerson(id, report)
    }
  }
}

/** FAILED has moved what its fills say, and nothing if it never had an order. */
function meaningOfConversion(report: Report): Meaning {
  if (report.outcome !== 'FAILED') return meaningIn(CONVERSION_ENDS, report.outcome)
  const { orderId, baseAmount, quoteAmount } = report as ConvertReport
  const moved = [baseAmount, quoteAmount].filter((amount) => amount !== undefined)
  if (moved.some((amount) => /[1-9]/.test(amount))) return 'part'
  return moved.length > 0 || orderId === undefined ? 'nothing' : 'person'
}

function meaningIn(ends: Readonly<Record<string, Meaning>>, outcome: string): Meaning {
  return (Object.hasOwn(ends, outcome) ? ends[outcome] : undefined) ?? 'person'
}
