// Puts a run of a policy into words: its request, and the meaning of each event. Pure.

import { type PlanOutput, RunEnd, RunStep, type RunSummary, type SettlesOn } from '../../core/contract/runs.ts'
import { RebalanceState, SweepState } from '../../core/contract/states.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { payeeText } from '../../operations/words/request-words.ts'
import { because, type Message, type Narration } from './event-lines.ts'

export const runNarration: Narration<unknown> = {
  doing(state, _request, waitSeconds) {
    const doing: Partial<Record<string, string>> = {
      [RebalanceState.PlanRebalance]: 'reading balances, markets and prices, and planning',
      [SweepState.PlanSweep]: 'reading balances, contacts and prices, and planning',
      [RebalanceState.WaitForTurn]: `waiting ${waitSeconds} s for its turn`,
      [RebalanceState.PlanAgain]: 'planning again from what the first legs brought',
      [RebalanceState.SettleRun]: 'reading what became of each leg',
    }
    return doing[state]
  },
  result(state, output) {
    // A step of this project wrote the output, so its shape is not checked. The text is for people; nothing is decided by it.
    switch (state) {
      case RebalanceState.PlanRebalance:
      case RebalanceState.PlanAgain:
      case SweepState.PlanSweep:
        return plannedText(output as unknown as PlanOutput)
      case RebalanceState.SettleRun:
        return settledText(output as unknown as RunSummary | SettlesOn)
      default:
        return undefined
    }
  },
}

function plannedText({ outcome, legs, phase, payees, waitSeconds, why }: PlanOutput): Message {
  if (Object.values<string>(RunEnd).includes(outcome)) {
    const { look, says } = outcomeWords(outcome)
    return { text: `${outcome}: ${why ?? says}`, tone: look }
  }
  if (outcome === RunStep.Settle) return { text: 'no more legs', tone: 'plain' }
  if (outcome === RunStep.Wait) return { text: `${why}; next check in ${waitSeconds} s`, tone: 'wait' }
  const count = legs.length
  const text = `phase ${phase}: ${count} ${count === 1 ? 'leg' : 'legs'}${paying(payees)}${because({ why })}`
  return { text, tone: 'plain' }
}

/** Maximum payees that one line of progress names. */
const MOST_PAYEES = 3

function paying(payees: PlanOutput['payees'] = []): string {
  if (payees.length === 0) return ''
  const named = payees.slice(0, MOST_PAYEES).map((payee) => payeeText(payee.contactId, payee))
  const more = payees.length > MOST_PAYEES ? [`${payees.length - MOST_PAYEES} more`] : []
  return `, to ${[...named, ...more].join(', ')}`
}

function settledText(answer: RunSummary | SettlesOn): Message {
  if ('legsRead' in answer) return { text: `read ${answer.legsRead} of ${answer.legsInAll} legs`, tone: 'plain' }
  const { outcome, legs, legsInAll = legs.length, why } = answer
  return { text: `${outcome}, legs: ${legsInAll}${because({ why })}`, tone: outcomeWords(outcome).look }
}
