// Writes the sentences of a report, the same on a page and on a terminal. They say who started and approved the run, and
// what the policy's assets are worth. They also say what was left behind, and whether it ties out. Pure.
import { MOST_UNPRICED, type Plan } from '../../core/contract/plan.ts'
import type { Approval, Requester, RunReport, StrandedBalance } from '../../core/contract/runs.ts'
import { shown } from './figures.ts'

export function strandedTexts({ residues = [] }: Pick<RunReport, 'residues'>): readonly string[] {
  return residues.map(strandedText)
}

function strandedText({ asset, contactId, before, amount }: StrandedBalance): string {
  const to = contactId === undefined ? '' : ` to ${contactId}`
  if (amount === '0') return `${before} ${asset} that earlier runs left on the way${to} has gone on.`
  const since = before === '0' || before === amount ? '' : ` (${before} ${asset} before this run)`
  const brought = `${amount} ${asset}${since}: brought there to continue${to}, and not carried on.`
  return contactId === undefined
    ? `${brought} It is no asset of the policy: the next run of the policy takes it up, as long as ${asset} is one of its hubs.`
    : `${brought} The next run of the policy sends it, as long as one of its rules converts into ${asset} and sends to that contact.`
}

export function tieOutText({ tiesOut, legs, endedAt }: Pick<RunReport, 'tiesOut' | 'legs' | 'endedAt'>): string {
  if (tiesOut === true) {
    return legs.length === 0
      ? 'Nothing was to move, and nothing did.'
      : 'Each leg that moved agrees with the fills of its order or the row of its withdrawal; what did not move has none.'
  }
  if (tiesOut === false) {
    return 'It does NOT tie out: a leg does not agree with what the service says of its movement. docs/runbook.md says what to do.'
  }
  return endedAt === undefined
    ? 'The run is under way: it is tied out when it is settled.'
    : 'The run ended before any leg began: there is nothing to tie out.'
}

/** `figure` formats the value: a page groups its digits. */
export function totalText({ totalValue, valuationAsset, unpriced }: Plan, figure = shown): string {
  const known = `${figure(totalValue)} ${valuationAsset} in the policy's assets`
  if (unpriced === undefined) return known
  const more = unpriced.length === MOST_UNPRICED ? ' and maybe others' : ''
  return `not known: ${known} without ${unpriced.join(', ')}${more}, which no market prices`
}

export function approvalText(approval: Approval): string {
  const { decision, by, at, because, expiresAt, approvals = [], needed, requester } = approval
  const asked = requester === undefined ? '' : ` (asked for by ${requesterText(requester)})`
  const others = approvals.filter((each) => each.by !== by).map((each) => each.by)
  if (decision === undefined) {
    const given = needed === undefined ? '' : `${approvals.length} of ${needed} approvals${namesIn(others)}; `
    return `${given}${secondText(approval)}waits for ${others.length > 0 ? 'another' : 'a'} person until ${expiresAt}${asked}`
  }
  const whose = [...(decision === 'approved' ? others : []), by ?? 'a person'].join(' and ')
  return `${decision} by ${whose}${at === undefined ? '' : ` at ${at}`}${asked}${because === undefined ? '' : `: ${because}`}`
}

/** Says why another approval is needed, where this person alone approved much before. Else empty. */
export function secondText({ approvals = [] }: Pick<Approval, 'approvals'>): string {
  const why = approvals.find(({ secondBecause }) => secondBecause !== undefined)?.secondBecause
  return why === undefined ? '' : `${why}; `
}

export function requesterText({ kind, by }: Requester): string {
  switch (kind) {
    case 'person':
      return by
    case 'schedule':
      return `the schedule, due ${by}`
    case 'event':
      return `event ${by}`
    case 'file':
      return `the file ${by}`
    default:
      return 'a deposit'
  }
}

function namesIn(names: readonly string[]): string {
  return names.length === 0 ? '' : ` (${names.join(', ')})`
}

const STARTERS: Readonly<Record<NonNullable<RunReport['trigger']>['by'], string>> = {
  schedule: 'a schedule',
  event: 'an event',
  deposit: 'a deposit',
  file: 'a file',
  person: 'a person',
  call: 'a call',
}

/** Such as `, by a schedule (2026-01-31T09:00:00Z)`. Empty for an unknown trigger. */
export function triggerText(trigger: RunReport['trigger']): string {
  if (trigger === undefined) return ''
  return `, by ${STARTERS[trigger.by]}${trigger.id === undefined ? '' : ` (${trigger.id})`}`
}
