// What happened in a run, and when: from its own record, in order. Pure.
import type { RunReport } from '../../core/contract/runs.ts'

export interface Moment {
  /** ISO-8601, as recorded. */
  readonly at: string
  readonly atMs: number
  readonly text: string
  readonly look: 'start' | 'person' | 'moved' | 'end'
}

/** A conversion may have 500 fills: for a time line the first few of a leg tell enough. */
const FILLS_A_LEG = 5

/** In order of time. A time that is none (the service's, of a fill) is left out. */
export function momentsOf(report: RunReport): Moment[] {
  const { startedAt, endedAt, plan, approval, outcome } = report
  const moments = [
    moment(startedAt, `started${triggerText(report.trigger)}`, 'start'),
    ...(plan === undefined ? [] : [moment(plan.takenAt, 'balances and prices taken', 'start')]),
    ...(approval?.at === undefined
      ? []
      : [moment(approval.at, `${approval.decision ?? 'decided'} by ${approval.by ?? 'a person'}`, 'person')]),
    ...report.legs.flatMap(fillMoments),
    ...(endedAt === undefined ? [] : [moment(endedAt, `ended ${outcome}`, 'end')]),
  ]
  return moments.filter(({ atMs }) => Number.isFinite(atMs)).sort((left, right) => left.atMs - right.atMs)
}

function fillMoments({ leg, conversion }: RunReport['legs'][number]): Moment[] {
  const fills = conversion?.fills ?? []
  const shown = fills.slice(0, FILLS_A_LEG).map(({ executedAt, baseAmount, quoteAmount, sequence }) => {
    const market = leg.kind === 'convert' ? leg.market : ''
    return moment(executedAt, `${leg.key}: fill ${sequence}, ${baseAmount} for ${quoteAmount} on ${market}`, 'moved')
  })
  const last = fills.at(-1)
  if (last === undefined || fills.length <= FILLS_A_LEG) return shown
  return [...shown, moment(last.executedAt, `${leg.key}: last of ${fills.length} fills`, 'moved')]
}

function moment(at: string, text: string, look: Moment['look']): Moment {
  return { at, atMs: Date.parse(at), text, look }
}

const STARTERS: Readonly<Record<NonNullable<RunReport['trigger']>['by'], string>> = {
  schedule: 'a schedule',
  event: 'an event',
  deposit: 'a deposit',
  person: 'a person',
  call: 'a call',
}

/** `, by a schedule (2026-01-31T09:00:00Z)`; nothing where nobody said. */
export function triggerText(trigger: RunReport['trigger']): string {
  if (trigger === undefined) return ''
  return `, by ${STARTERS[trigger.by]}${trigger.id === undefined ? '' : ` (${trigger.id})`}`
}
