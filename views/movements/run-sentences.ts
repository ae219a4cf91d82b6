// Writes the sentences of one run of a policy: who started it, its plan, the decision of a person, the result of each
// leg, and its end. Each leg is an intent, which has sentences of its own. Pure.
import { outcomeText } from '../../core/contract/outcome-names.ts'
import type { RunReport, SettledLeg } from '../../core/contract/runs.ts'
import { outcomeWords } from '../../operations/words/outcome-words.ts'
import { legFactsOf } from '../runs/leg-facts.ts'
import { requesterText, strandedTexts, tieOutText, triggerText } from '../runs/report-sentences.ts'

export interface RunSentence {
  readonly at?: string | undefined
  readonly about: 'started' | 'planned' | 'approval' | 'leg' | 'left' | 'ended' | 'tie-out'
  readonly text: string
}

export function runSentences(report: RunReport): RunSentence[] {
  return [
    { at: report.startedAt, about: 'started', text: startedText(report) },
    { about: 'planned', text: plannedText(report) },
    ...approvalSentences(report),
    ...legSentences(report),
    ...strandedTexts(report).map((text) => ({ about: 'left', text }) as const),
    { at: report.endedAt, about: 'ended', text: endedText(report) },
    { about: 'tie-out', text: tieOutText(report) },
  ]
}

function startedText({ policy, kind, runId, trigger }: RunReport): string {
  return `Run ${runId} of policy ${policy} (${kind}) was started${triggerText(trigger).replace(/^,/, '')}.`
}

function plannedText({ plan }: RunReport): string {
  if (plan === undefined) return 'It made no plan.'
  const { legs, nonLegs, turnover, valuationAsset } = plan
  const rest = nonLegs.length === 0 ? '' : ` It left ${counted(nonLegs.length, 'thing')} alone, each with a reason.`
  if (legs.length === 0) return `It planned nothing to move.${rest}`
  return `It planned ${counted(legs.length, 'leg')}, worth ${turnover} ${valuationAsset} together.${rest}`
}

function approvalSentences({ approval, outcome }: RunReport): RunSentence[] {
  if (approval === undefined) return []
  const { decision, by = 'a person', because, at, expiresAt, approvals = [], needed, requester } = approval
  const asked: RunSentence[] = requester
    ? [{ at: requester.at, about: 'approval', text: `It was asked for by ${requesterText(requester)}.` }]
    : []
  if (decision === undefined) {
    const waits = outcome === 'AWAITING_APPROVAL' ? 'It waits' : 'It waited'
    const people = needed === undefined ? 'a person' : `${needed} people (${approvals.length} did)`
    const second = approvals.find(({ secondBecause }) => secondBecause !== undefined)?.secondBecause
    const because = second === undefined ? '' : ` Why: ${second}.`
    const text = `${waits} for ${people} to approve the plan, until ${expiresAt}.${because}`
    return [...asked, { about: 'approval', text }]
  }
  const reason = because === undefined ? '' : `: ${because}`
  return [...asked, { at, about: 'approval', text: `${by} ${decision} the plan${reason}.` }]
}

function legSentences(report: RunReport): RunSentence[] {
  const facts = legFactsOf(report)
  return facts.map((leg, index) => {
    const settled: SettledLeg | undefined = report.legs[index]
    const intent = settled === undefined ? '' : ` Its intent is ${settled.intentId}.`
    const note = leg.note === '' ? '' : ` Why: ${leg.note}.`
    const text = `Leg ${leg.key}: ${leg.what}. It was planned because: ${leg.why}. Its outcome: ${outcomeText(leg.outcome)}.${note}${intent}`
    return { about: 'leg', text: text.replaceAll('..', '.') }
  })
}

function endedText({ outcome, why, endedAt, approval }: RunReport): string {
  const { says } = outcomeWords(outcome, approval?.decision)
  const reason = why === undefined ? '' : ` Why: ${why}.`
  return `${endedAt === undefined ? 'It has not ended' : 'It ended'}: ${outcomeText(outcome)}; ${says}.${reason}`.replaceAll(
    '..',
    '.',
  )
}

function counted(count: number, noun: string): string {
  return count === 1 ? `one ${noun}` : `${count} ${noun}s`
}
