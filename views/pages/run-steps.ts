// Says how the wait of a run ends by itself, and offers the button with which a person ends it now. Pure.
import { RunEnd } from '../../core/contract/runs.ts'
import { counted } from '../../core/printable.ts'
import type { ServiceWait } from '../../operations/movements/service-wait.ts'
import type { RunCourse } from '../../operations/runs/run.ts'
import { haltOf } from '../../operations/words/halt-words.ts'
import { html, type Markup } from '../html/markup.ts'
import { moment, said } from '../html/shown-figures.ts'
import { STALLED_NEXT } from '../movements/request-columns.ts'
import { prose, sentence } from '../runs/figures.ts'
import { approvalText } from '../runs/report-sentences.ts'
import { waitEndedText } from '../runs/wait-words.ts'
import { type FormSeal, form } from './forms.ts'

export function runSteps(course: RunCourse, seal: FormSeal): Markup {
  const { report, waitEnded } = course
  const { outcome, runId, legs } = report
  if (waitEnded !== undefined) return endedWait(course, waitEnded, seal)
  const isUnbegun = outcome === RunEnd.OwnFault && legs.length === 0
  return html`${serviceWaitOf(course, seal)}${outcome === RunEnd.AwaitingApproval && html`<p><a class="button" href="/runs/${runId}/decide">Look at the plan, and decide…</a></p>`}
${outcome === RunEnd.NeedsAttention && html`<p><a class="button" href="/attention">See what is in doubt…</a></p>${againForm(runId, 'Settle it by its legs', seal)}`}
${isUnbegun && html`<p>Nothing moved. Once the fault is mended, it can begin under the same name.</p>${againForm(runId, 'Begin it now', seal)}`}`
}

/** The legs that are sent, and whose end the service has not shown. Nothing for a run that does not wait for it. */
function serviceWaitOf({ report: { runId, outcome, legs: planned }, legs }: RunCourse, seal: FormSeal): Markup | false {
  const waits = outcome === 'RUNNING' ? legs.flatMap((leg) => leg.waits ?? []) : []
  const [first, ...others] = waits
  return (
    first !== undefined &&
    serviceWait(
      {
        waits: [first, ...others],
        of: legs.length,
        isPart: legs.length < planned.length,
        check: `/runs/${runId}/check`,
      },
      seal,
    )
  )
}

interface Waits {
  readonly waits: readonly [ServiceWait, ...ServiceWait[]]
  /** Number of the legs that were read; absent for a movement without a run. */
  readonly of?: number
  /** Whether the run has more legs than were read. */
  readonly isPart?: boolean
  /** Path of the form that checks now. */
  readonly check: string
}

/** Says since when and until when the service is not asked, and offers to ask it now. */
export function serviceWait({ waits, of, isPart = false, check }: Waits, seal: FormSeal): Markup {
  const due = waits.find(({ isRefundDue }) => isRefundDue)
  const { why } = due ?? waits[0]
  const [readAt] = waits
    .map((wait) => wait.readAt)
    .sort()
    .toReversed()
  const [nextAt] = waits.map((wait) => wait.nextAt).sort()
  const whom = due ? 'its refund' : waits.some(({ isBank }) => isBank) ? 'the bank' : 'the service'
  const which =
    of === undefined
      ? 'It is sent, and waits'
      : `${waits.length} of ${isPart ? 'the first ' : ''}${counted(of, 'leg')} ${waits.length === 1 ? 'is sent, and waits' : 'are sent, and wait'}`
  return html`<p class="wait">${which} for ${whom}: at ${moment(readAt)} the service had not shown ${due ? 'the refund of what it calls failed' : 'the end'} (${why}). The next check is at ${moment(nextAt)}. ${due ? `A person is needed: ${sentence(STALLED_NEXT['refund due'])}` : 'It needs nobody meanwhile.'} Checking sends nothing.</p>
${form(seal, { action: check, button: 'Check again' })}`
}

/** The next entry of the run, which reads the journal first. */
export function againForm(runId: string, button: string, seal: FormSeal): Markup {
  return form(seal, { action: `/runs/${runId}/again`, button })
}

/** The button that ends the wait of a run. */
export const NOW = { approved: 'Carry it out now', rejected: 'End it now', expired: 'End it now' } as const

function endedWait({ against, halts, report }: RunCourse, waitEnded: keyof typeof NOW, seal: FormSeal): Markup {
  const { approval } = report
  const whose = approval?.decision !== undefined && html` It is ${prose(approvalText(approval))}.`
  const isHalted = waitEnded !== 'rejected' && haltOf(halts, report.policy) !== undefined
  return html`<p class="wait">The run ${said(waitEndedText({ waitEnded, ...(against && { against }) }))}.${whose}</p>
${isHalted ? html`<p>Sending is halted. <a class="button" href="/halt">Resume…</a></p>` : againForm(report.runId, NOW[waitEnded], seal)}`
}
