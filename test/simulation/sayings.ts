// Holds what executions say against the truth of the moment in which they say it.
import { WithdrawEnd, WithdrawStep } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState, recordKey } from '../../core/contract/records.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import type { Stage } from './stage.ts'
import type { Report } from './state-machines.ts'

const WAITS_FOR_LANE = /^withdrawal (\S+) of \S+ is not settled yet$/
const WAITS_FOR_PEOPLE = /approval waits for .* to approve it/
const LETS_LANE_GO: ReadonlySet<unknown> = new Set(['DONE', 'REJECTED', 'EXHAUSTED'])

export class Sayings {
  readonly #stage: Stage
  /** By execution: the ended intent whose lane it said that it waits for. */
  readonly #waitsFor = new Map<string, string>()
  /** By execution: the hashes of terms of which it has said that people are to approve them. */
  readonly #told = new Map<string, Set<string>>()
  /** By execution: the version of the holder's record, without a yes of people, for which it said that it waits. */
  readonly #waitsForPeople = new Map<string, string>()
  /** By execution: the version of its own record, with a yes of people, for which it said that it waits for them. */
  readonly #waitsInVain = new Map<string, string>()
  /** Whether a withdrawal that is not armed lacks a yes of people; absent: nobody is asked. */
  isUnapproved: ((ready: StoredRecord) => boolean) | undefined
  /** Whether people have said yes to its terms. */
  isApproved: ((ready: StoredRecord) => boolean) | undefined

  constructor(stage: Stage) {
    this.#stage = stage
  }

  /** An intent may end while a step says that it holds the lane; the next step must know. */
  noteStep(execution: string, report: WithdrawReport): void {
    const { outcome, why } = report
    this.#noteTold(execution, report)
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

  /** That people are to approve its terms each execution says once of these, and once more where it has settled them anew. */
  #noteTold(execution: string, { outcome, awaited = '', why = '' }: WithdrawReport): void {
    if (outcome === WithdrawStep.Again) this.#told.delete(execution)
    const told = this.#told.get(execution) ?? new Set()
    if (outcome === WithdrawStep.AwaitingApproval && told.has(awaited))
      this.#stage.witness.accuse('a wait for people that is told again')
    if (outcome === WithdrawStep.AwaitingApproval) this.#told.set(execution, told.add(awaited))
    if (outcome === WithdrawStep.Held && WAITS_FOR_PEOPLE.test(why) && !told.has(awaited))
      this.#stage.witness.accuse('a wait for people that nobody is told of')
  }

  /** Whoever says twice that it waits for people, though they have said yes to what its record has had all that time, waits in vain. */
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

  /** A holder that has armed nothing and lacks a yes may be passed: whoever finds the same twice was kept waiting for people. */
  #notePeople(execution: string, held: StoredRecord | undefined): void {
    const before = this.#waitsForPeople.get(execution)
    this.#waitsForPeople.delete(execution)
    if (held?.state !== IntentState.Ready || held.attempt !== undefined || !this.isUnapproved?.(held)) return
    const seen = `${held.pk} ${held.version}`
    if (seen === before) this.#stage.witness.accuse('a wait for the lane of an intent that waits for people')
    this.#waitsForPeople.set(execution, seen)
  }

  /** What came back, or was never taken, must have done so when it is said. */
  judgeEnd(report: Report): void {
    if (report.outcome !== WithdrawEnd.FailedRefunded) return
    const { withdrawalId = '' } = report as WithdrawReport
    if (['debited', 'taken back'].includes(this.#stage.service.withdrawals.trueBookingOf(withdrawalId)))
      this.#stage.witness.accuse('FAILED_REFUNDED of a withdrawal that has not come back')
  }
}
