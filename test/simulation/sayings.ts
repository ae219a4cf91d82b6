// Compares the reports of executions with the truth at the moment of the report.
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Stage } from './stage.ts'
import type { Report } from './state-machines.ts'

const WAITS_FOR_LANE = /^withdrawal (\S+) of \S+ (?:is not settled yet|waits for a person)/
const WAITS_FOR_PEOPLE = /approval waits for .* to approve it/
const LETS_LANE_GO: ReadonlySet<unknown> = new Set(['DONE', 'REJECTED', 'EXHAUSTED'])

export class Sayings {
  readonly #stage: Stage
  /** By execution: the ended intent whose lane it reported to wait for. */
  readonly #waitsFor = new Map<string, string>()
  /** By execution: the hashes of the terms that it has asked people to approve. */
  readonly #askedFor = new Map<string, Set<string>>()
  /** By execution: the version of an unapproved holder's record that it reported to wait for. */
  readonly #waitsForPeople = new Map<string, string>()
  /** By execution: the version of its own approved record with which it reported to wait for people. */
  readonly #waitsInVain = new Map<string, string>()
  /** Whether an unarmed withdrawal lacks people's approval. Absent: nobody is asked. */
  isUnapproved: ((ready: StoredRecord) => boolean) | undefined
  isApproved: ((ready: StoredRecord) => boolean) | undefined

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** An intent may end while a step reports that it holds the lane. The next step must notice. */
  noteStep(execution: string, report: WithdrawReport): void {
    const { outcome, why } = report
    this.#noteRequest(execution, report)
    this.#noteInVain(execution, report)
    const [, holder] = (outcome === WithdrawStep.Held && WAITS_FOR_LANE.exec(why ?? '')) || []
    const held =
      holder === undefined ? undefined : this.#stage.journal.records.get(recordKey.intent(IntentKind.Withdraw, holder))
    this.#notePeople(execution, held)
    const before = this.#waitsFor.get(execution)
    this.#waitsFor.delete(execution)
    if (holder === undefined || !LETS_LANE_GO.has(held?.state)) return
    if (holder === before) this.#stage.witness.accuse('a wait for the lane of an intent that has ended')
    this.#waitsFor.set(execution, holder)
  }

  /** Each execution asks people once to approve its terms, and again after it has settled them anew. */
  #noteRequest(execution: string, { outcome, awaited = '', why = '' }: WithdrawReport): void {
    if (outcome === WithdrawStep.Again) this.#askedFor.delete(execution)
    const requested = this.#askedFor.get(execution) ?? new Set()
    if (outcome === WithdrawStep.AwaitingApproval && requested.has(awaited))
      this.#stage.witness.accuse('people are asked again for the same approval')
    if (outcome === WithdrawStep.AwaitingApproval) this.#askedFor.set(execution, requested.add(awaited))
    if (outcome === WithdrawStep.Held && WAITS_FOR_PEOPLE.test(why) && !requested.has(awaited))
      this.#stage.witness.accuse('a wait for people who were not asked')
  }

  /**
   * An execution that reports twice to wait for people, although they had approved its record all that time, waits in
   * vain.
   */
  #noteInVain(execution: string, { outcome, why = '' }: WithdrawReport): void {
    const before = this.#waitsInVain.get(execution)
    this.#waitsInVain.delete(execution)
    const isWaiting = outcome === WithdrawStep.AwaitingApproval || outcome === WithdrawStep.Held
    if (!isWaiting || !WAITS_FOR_PEOPLE.test(why)) return
    const [intentId = ''] = execution.split('/')
    const own = this.#stage.journal.records.get(recordKey.intent(IntentKind.Withdraw, intentId))
    if (own?.state !== IntentState.Ready || this.isApproved?.(own) !== true) return
    const seen = `${own.pk} ${own.version}`
    if (seen === before) this.#stage.witness.accuse('a wait for people who have said yes')
    this.#waitsInVain.set(execution, seen)
  }

  /**
   * Others may pass a holder that has armed nothing and lacks approval. An execution that finds the same holder twice
   * was kept waiting for people.
   */
  #notePeople(execution: string, held: StoredRecord | undefined): void {
    const before = this.#waitsForPeople.get(execution)
    this.#waitsForPeople.delete(execution)
    if (held?.state !== IntentState.Ready || held.attempt !== undefined || !this.isUnapproved?.(held)) return
    const seen = `${held.pk} ${held.version}`
    if (seen === before) this.#stage.witness.accuse('a wait for the lane of an intent that waits for people')
    this.#waitsForPeople.set(execution, seen)
  }

  /** A refund must be real at the moment when it is reported. */
  judgeEnd(report: Report): void {
    if (report.outcome !== WithdrawEnd.FailedRefunded) return
    const { withdrawalId = '', isByBalance } = report as WithdrawReport
    const { withdrawals } = this.#stage.service
    // A credit of the same amount looks like a refund, and the report says that nothing else shows one.
    if (isByBalance && withdrawals.truth.creditAhead !== undefined) return
    if (['debited', 'taken back'].includes(withdrawals.trueBookingOf(withdrawalId)))
      this.#stage.witness.accuse('FAILED_REFUNDED of a withdrawal that has not come back')
  }
}
