// Lists naive variants of how the rows of payout files are named, stored and approved.
import { edit } from '../../../mutants/source-edits.ts'
import { type DaysMutant, mutant } from './mutant.ts'

export const PAYOUT_MUTANTS: Readonly<Record<string, DaysMutant>> = {
  'payout-is-of-its-run': mutant(
    'payouts',
    /^payout: .* moved 2 times/,
    'names the intent of a row after its run',
    edit(
      'core/runs/record/run-record.ts',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the file
      'return onceIntentId(once ?? `${runId}\\n${key}`)',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of the file
      "return onceIntentId(once === '' ? once : `${runId}\\n${key}`)",
    ),
  ),
  'page-is-believed': mutant(
    'payouts',
    /^payout: .* no given file has such a row/,
    'takes a page as it is, whatever hash it is under',
    edit('core/journal/pages.ts', 'if (hashParams(entries) !== hash)', "if (hash === '')"),
  ),
  'first-page-is-approved': mutant(
    'payouts',
    /^payout: .* no given file has such a row/,
    'has people approve the first hundred legs of a plan',
    edit(
      'core/planning/plan-hash.ts',
      '.sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))',
      '.sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))\n    .slice(0, 100)',
    ),
  ),
  'paid-row-under-another-id-asks-nobody': mutant(
    'payouts',
    /^payout: .* again, under another id, and nobody had approved it/,
    'pays what another row was paid for without asking people',
    edit('core/runs/approval/ask.ts', 'if (again.length > 0) {', 'if (again.length > 5_000) {'),
  ),
  'clock-ends-a-row': mutant(
    'same-rows',
    /^payout: .* moved 2 times/,
    'counts a row that waits as a zero once its time is over by the clock',
    edit(
      'core/runs/plan/payments.ts',
      "return isSettled(intent.state) ? 'zero' : 'open'",
      "return isSettled(intent.state) || service.clock.reachedMs() > Date.parse(intent.notAfter) ? 'zero' : 'open'",
    ),
  ),
  'row-of-others-holds-policy': mutant(
    'same-rows',
    /^row .*-later was given, and nothing moved it/,
    'takes a row that another run has begun for a doubt of each run that has the row',
    edit('core/runs/plan/take-policy.ts', 'return runOf(intent) === runId ||', "return runOf(intent) !== '' ||"),
  ),
  'unbegun-row-is-closed-for-both': mutant(
    'same-rows',
    /^row .*-twin was given, and nothing moved it/,
    'closes a row that it has not begun, while another run is about to begin it',
    edit('core/runs/settle/settle-leg.ts', 'if (left && ', 'if (left === null && '),
  ),
}
