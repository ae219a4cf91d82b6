// Models the state machines around the steps, one for each kind of intent, as infra defines them.

import { type ConvertReport, type ConvertRequest, type QuoteAnswer, quoteAnswer } from '../../core/contract/convert.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { ConvertEnd, ConvertStep, WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import { Verb } from '../../core/contract/states.ts'
import { type WithdrawReport, type WithdrawRequest, withdrawInput } from '../../core/contract/withdraw.ts'
import { checkWithdrawal } from '../../functions/check-withdrawal/check-withdrawal.ts'
import { conclude } from '../../functions/conclude/conclude.ts'
import { type Conclusion, conversionConclusion, withdrawalConclusion } from '../../functions/conclude/conclusions.ts'
import { order } from '../../functions/order/order.ts'
import { pollOrder } from '../../functions/poll-order/poll-order.ts'
import { pollWithdrawal } from '../../functions/poll-withdrawal/poll-withdrawal.ts'
import { quote } from '../../functions/quote/quote.ts'
import { withdraw } from '../../functions/withdraw/withdraw.ts'
import type { Ports } from './ports.ts'
import { Broken, type Steps, Stopped } from './steps.ts'

export interface Begun<Request> {
  readonly execution: string
  readonly startedAt: string
  readonly request: Request
}

export type Report = ConvertReport | WithdrawReport

/** Called with each report of a step, also while the machine continues. */
export type OnReport = (report: WithdrawReport) => void

/** After these outcomes the state machine waits and returns to Order. */
const WAITING: ReadonlySet<string> = new Set([ConvertStep.Uncertain, ConvertStep.Held, ConvertStep.AwaitingApproval])
const CONVERT_ENDS: ReadonlySet<string> = new Set(Object.values(ConvertEnd))
const WITHDRAW_ENDS: ReadonlySet<string> = new Set(Object.values(WithdrawEnd))

/** `pass`: changes a quote on its way from Quote to Order. */
export function runConversion(
  steps: Steps<Ports>,
  begun: Begun<ConvertRequest>,
  pass: (quoted: QuoteAnswer) => QuoteAnswer,
): Promise<ConvertReport> {
  const { execution, request } = begun
  const intentId = intentIdOf(execution)
  return concluding(steps, begun, conversionConclusion, async () => {
    let lastReport: unknown = request
    for (;;) {
      let next = pass(await steps.run(Verb.Quote, 3, { ...begun, said: lastReport }, quote))
      let report: ConvertReport
      do {
        report = await steps.run(Verb.Order, 5, { request, said: next }, order)
        lastReport = report
        next = quoteAnswer.parse(report)
        if (WAITING.has(report.outcome)) await steps.wait(report.waitSeconds)
      } while (WAITING.has(report.outcome))
      while (report.outcome === ConvertStep.Processing) {
        await steps.wait(report.waitSeconds)
        report = await steps.run(Verb.PollOrder, 6, { intentId, waits: report.waits ?? 0 }, pollOrder)
      }
      if (CONVERT_ENDS.has(report.outcome)) return report
    }
  })
}

export function runWithdrawal(
  steps: Steps<Ports>,
  begun: Begun<WithdrawRequest>,
  onReport: OnReport,
): Promise<WithdrawReport> {
  const { execution: intentId, request } = begun
  return concluding(steps, begun, withdrawalConclusion, async () => {
    let report = await steps.run(Verb.CheckWithdrawal, 3, begun, checkWithdrawal)
    do {
      if (report.outcome === WithdrawStep.Again)
        report = await steps.run(Verb.CheckWithdrawal, 3, begun, checkWithdrawal)
      const input = withdrawInput.parse({ request, said: report })
      report = await steps.run(Verb.Withdraw, 5, input, withdraw)
      onReport(report)
      if (WAITING.has(report.outcome)) await steps.wait(report.waitSeconds)
    } while (WAITING.has(report.outcome) || report.outcome === WithdrawStep.Again)
    while (!WITHDRAW_ENDS.has(report.outcome)) {
      await steps.wait(report.waitSeconds)
      report = await steps.run(Verb.PollWithdrawal, 6, { intentId, waits: report.waits ?? 0 }, pollWithdrawal)
    }
    return report
  })
}

/** Conclude ends the run if a step failed for good. */
async function concluding<Kind extends IntentKind, Ended>(
  steps: Steps<Ports>,
  begun: Begun<unknown>,
  conclusion: Conclusion<Kind, Ended>,
  run: () => Promise<Ended>,
): Promise<Ended> {
  try {
    return await run()
  } catch (error) {
    if (error instanceof Stopped || error instanceof Broken) throw error
    const { name: errorName, message } = error as Error
    const input = { ...begun, kind: conclusion.kind, fault: { Error: errorName, Cause: message } }
    return steps.run(Verb.Conclude, 50, input, (cause, ports) => conclude(cause, conclusion, ports))
  }
}
