// Says a line of progress in words, for the list on the page of an act. A terminal shows the names of states and the codes,
// by which people search the logs. Pure.

import { outcomeName } from '../../core/contract/outcome-names.ts'
import { ConvertState, RebalanceState, SweepState, WithdrawState } from '../../core/contract/states.ts'
import type { ProgressLine } from '../../place/context.ts'
import { lasted } from '../html/shown-figures.ts'

/** States that report a result. Other labels are words already. */
const STEP_NAMES: Readonly<Record<string, string>> = {
  [ConvertState.Quote]: 'quote',
  [ConvertState.Order]: 'order',
  [ConvertState.PollOrder]: 'order',
  [ConvertState.Conclude]: 'end',
  [WithdrawState.CheckWithdrawal]: 'check',
  [WithdrawState.Withdraw]: 'withdrawal',
  [WithdrawState.PollWithdrawal]: 'withdrawal',
  [RebalanceState.PlanRebalance]: 'plan',
  [RebalanceState.PlanAgain]: 'plan again',
  [RebalanceState.SettleRun]: 'result',
  [RebalanceState.SettleBrokenRun]: 'result',
  [SweepState.PlanSweep]: 'plan',
}

/** Matches a code, but not the asset of an amount. */
const CODE = /(?<![\w-]|\d )[A-Z]{4,}(?:_[A-Z]+)*(?![\w-])/g

/** Matches the name of an execution: the id, and how often it was entered. */
const ENTERED = /\bentered as \S+_(\d+)(?!\w)/g

/** Such as `after 0.4 s, plan: halted: policy home is halted`. */
export function actNote({ label, text }: Pick<ProgressLine, 'label' | 'text'>, afterMs: number): string {
  const name = Object.hasOwn(STEP_NAMES, label) ? STEP_NAMES[label] : label
  const said = text
    .replace(CODE, (code) => outcomeName(code) ?? code)
    .replace(ENTERED, 'entered again, try $1')
    .replace(/ {2,}/g, ' ')
  return `after ${lasted(afterMs)}, ${name}: ${said}`
}
