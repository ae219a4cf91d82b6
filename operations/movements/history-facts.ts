// Makes facts of the executions of an intent, in order. The attempt in the intent's record is put in its place; earlier
// attempts are known from the executions alone. Pure.

import { convertReport, type QuotedTerms, quoteAnswer } from '../../core/contract/convert.ts'
import { ConvertStep, WithdrawStep } from '../../core/contract/outcomes.ts'
import { ConvertState, WithdrawState } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { withdrawReport } from '../../core/contract/withdraw.ts'
import { type Intent, isOpened } from '../../core/journal/intent.ts'
import type { ExecutionHistory, HistoryStep } from '../../place/executions/execution-history.ts'
import { payeeText } from '../words/request-words.ts'
import { answeredOf, doubtOf, isOrder, movementOf, numberOf, sentOf, type Tried } from './attempt-facts.ts'
import type { Fact } from './facts.ts'

type Left = Extract<HistoryStep, { readonly did: 'left' }>

interface StepReport {
  readonly outcome: string
  readonly attempts?: number | undefined
  readonly orderId?: string | undefined
  readonly withdrawalId?: string | undefined
  readonly why?: string | undefined
  readonly until?: string | undefined
}

/** States whose output says how the intent ended. */
const REPORTING: ReadonlySet<string> = new Set([
  ...[ConvertState.Order, ConvertState.PollOrder, ConvertState.Conclude],
  ...[WithdrawState.Withdraw, WithdrawState.PollWithdrawal],
])
const SENDING: ReadonlySet<string> = new Set([ConvertState.Order, WithdrawState.Withdraw])

function reportIn({ output }: Left, { kind }: Intent): StepReport | undefined {
  return kind === 'convert' ? convertReport.safeParse(output).data : withdrawReport.safeParse(output).data
}

export interface HistoryFacts {
  readonly facts: readonly Fact[]
  /** Whether the attempt of the record is among them. */
  readonly hasAttempt: boolean
  /** Whether a step reported that attempt as in doubt. */
  readonly wasInDoubt: boolean
  /** Whether the sender of that attempt may have died, so that its answer may have been lost. */
  readonly mayBeUnheard: boolean
}

export function factsOfHistories(intent: Intent, histories: readonly ExecutionHistory[], timing: Timing): HistoryFacts {
  const walk = new FactsBuilder(intent, timing, numberOf(intent) ?? lastDoubted(histories))
  for (const [index, history] of histories.entries()) {
    if (index > 0) walk.enter(history)
    for (const step of history.steps) walk.step(step)
    walk.end(history)
  }
  return walk.result()
}

/** Number of the attempt that was in doubt last. The record of an ended intent does not say which attempt it keeps. */
function lastDoubted(histories: readonly ExecutionHistory[]): number | undefined {
  const steps = histories.flatMap((history) => history.steps)
  const doubts = steps.filter((step) => step.did === 'left' && step.output.outcome === ConvertStep.Uncertain)
  const last = doubts.at(-1)
  const attempts = last?.did === 'left' ? last.output.attempts : undefined
  return typeof attempts === 'number' ? attempts : undefined
}

class FactsBuilder {
  readonly #facts: Fact[] = []
  readonly #intent: Intent
  readonly #timing: Timing
  readonly #tried: Tried | undefined
  #hasAttempt = false
  readonly #number: number | undefined
  #wasInDoubt = false
  #mayBeUnheard = false
  #enteredAt = ''
  #quote: { readonly orderId: string; readonly attempt: number | undefined } | undefined
  /** Names the attempt whose doubt was added last. */
  #doubted: string | undefined

  /** `number`: the number of the attempt in the record. */
  constructor(intent: Intent, timing: Timing, number: number | undefined) {
    this.#intent = intent
    this.#timing = timing
    this.#number = number
    this.#tried = isOpened(intent) ? intent.attempt : undefined
  }

  result(): HistoryFacts {
    const [wasInDoubt, mayBeUnheard] = [this.#wasInDoubt, this.#mayBeUnheard]
    return { facts: this.#facts, hasAttempt: this.#hasAttempt, wasInDoubt, mayBeUnheard }
  }

  enter({ startedAt, name }: ExecutionHistory): void {
    // The execution before this one ended without a report on the attempt.
    if (!this.#hasAttempt) this.#mayBeUnheard = true
    this.add({ fact: 'entered', ...timed(startedAt), execution: name })
  }

  /** Adds a fact. A repeated fact is added once. */
  add(fact: Fact): void {
    const last = this.#facts.at(-1)
    const isSame = last !== undefined && JSON.stringify({ ...last, at: '' }) === JSON.stringify({ ...fact, at: '' })
    if (!isSame) this.#facts.push(fact)
  }

  step(step: HistoryStep): void {
    switch (step.did) {
      case 'entered':
        this.#enteredAt = step.at
        return
      case 'failed': {
        const { at, state, error, message } = step
        // The clocks of machine and service agree within about a second. A failure before the signature sent nothing.
        const mayHaveSent =
          SENDING.has(state) && Date.parse(at) >= (this.#tried?.iat ?? Number.POSITIVE_INFINITY) * 1000
        if (mayHaveSent && this.#isOwn(undefined)) this.#place()
        if (SENDING.has(state) && this.#isOwn(undefined)) this.#mayBeUnheard = true
        this.add({ fact: 'fault', ...timed(at), state, error, message })
        return
      }
      case 'left':
        this.#left(step)
    }
  }

  end({ status, error, name, endedAt }: ExecutionHistory): void {
    // The end of the intent itself says the rest.
    if (status === 'RUNNING' || status === 'SUCCEEDED' || (error !== undefined && error === this.#intent.outcome))
      return
    const why = error === undefined ? {} : { error }
    this.add({ fact: 'stopped', ...timed(endedAt), execution: name, status, ...why })
  }

  #left(step: Left): void {
    if (step.state === ConvertState.Quote) this.#quoted(step)
    else if (step.state === WithdrawState.CheckWithdrawal) this.#checked(step)
    else if (REPORTING.has(step.state)) {
      const report = reportIn(step, this.#intent)
      if (report !== undefined) this.#reported(step, report)
    }
  }

  #reported({ at, state }: Left, report: StepReport): void {
    const { outcome, why = '' } = report
    switch (outcome) {
      case ConvertStep.Held:
      case ConvertStep.AwaitingApproval:
        // Past the fence, an attempt whose key was refused ends in a wait for another key.
        if (this.#doubted !== undefined) this.#attemptEnded(at, report)
        this.add({ fact: 'held', ...timed(at), why })
        return
      case ConvertStep.Uncertain:
        this.#doubt(at, report)
        return
      case ConvertStep.QuoteExpired:
      case WithdrawStep.Again:
        this.#attemptEnded(at, report)
        return
      case ConvertStep.Processing:
        this.#placeWhereOwn(state, report)
        this.add({ fact: 'moving', ...timed(at), why })
        return
      default:
        this.#placeWhereOwn(state, report)
    }
  }

  #quoted({ at, output }: Left): void {
    const input = quoteAnswer.safeParse(output).data
    if (input?.quote === undefined) return
    const { quote, attempt } = input
    this.#quote = { orderId: quote.orderId, attempt }
    const number = attempt === undefined ? {} : { attempt }
    const { orderId, expiresAt } = quote
    this.add({ fact: 'quoted', ...timed(at), ...number, orderId, terms: termsOf(quote), expiresAt })
  }

  #checked({ at, output }: Left): void {
    if (output.outcome !== WithdrawStep.Checked || this.#intent.kind !== 'withdraw') return
    if (!isOpened(this.#intent)) return
    const { assetSymbol, amount, fee, total, networkId, contactId, payee } = this.#intent.frozen
    const to = payeeText(contactId, payee)
    this.add({ fact: 'checked', ...timed(at), assetSymbol, amount, fee, total, networkId, to })
  }

  #doubt(at: string, { attempts, orderId, until, why }: StepReport): void {
    const name = orderId ?? String(attempts)
    if (this.#doubted === name) {
      this.#looks()
      return
    }
    this.#doubted = name
    const isOwn = this.#isOwn(orderId, attempts)
    if (isOwn) this.#place()
    else if (this.#hasAttempt === false || orderId !== undefined) this.#placeFormer(attempts, orderId)
    if (isOwn) this.#wasInDoubt = true
    const own = isOwn && this.#tried !== undefined ? doubtOf(this.#intent, this.#tried, this.#timing) : undefined
    const movement = movementOf(this.#intent)
    const reason = why === undefined ? {} : { why }
    this.add({ ...(own ?? { fact: 'doubt', until: until ?? '', movement }), ...timed(at), ...reason, looks: 1 })
  }

  #looks(): void {
    const index = this.#facts.findLastIndex(({ fact }) => fact === 'doubt')
    const doubt = this.#facts[index]
    if (doubt?.fact === 'doubt') this.#facts[index] = { ...doubt, looks: (doubt.looks ?? 0) + 1 }
  }

  #attemptEnded(at: string, { attempts, why = '' }: StepReport): void {
    const wasInDoubt = this.#doubted !== undefined
    const before = this.#quote?.attempt
    // Otherwise another quote is requested, and the attempt is the same.
    const isEnd = wasInDoubt || before === undefined || (attempts !== undefined && attempts > before)
    if (!isEnd) return
    if (!wasInDoubt && this.#isOwn(undefined)) this.#place()
    this.#doubted = undefined
    this.add({ fact: 'attempt ended', ...timed(at), why, wasInDoubt, movement: movementOf(this.#intent) })
  }

  #placeWhereOwn(state: string, { orderId, attempts }: StepReport): void {
    if (SENDING.has(state) && this.#isOwn(orderId, attempts)) this.#place()
  }

  /** Whether the report of a step is about the attempt in the record. */
  #isOwn(orderId: string | undefined, attempts?: number): boolean {
    const tried = this.#tried
    if (tried === undefined) return false
    if (isOrder(tried)) return tried.orderId === (orderId ?? this.#quote?.orderId)
    return this.#number === undefined || attempts === undefined || this.#number === attempts
  }

  #place(): void {
    const tried = this.#tried
    if (tried === undefined || this.#hasAttempt) return
    this.#hasAttempt = true
    const number = isOrder(tried) ? (this.#quote?.attempt ?? numberOf(this.#intent)) : this.#number
    this.add(sentOf(this.#intent, tried, number))
    const answered = answeredOf(this.#intent, tried)
    if (answered !== undefined) this.add(answered)
  }

  /** The record keeps nothing of an earlier attempt. Its step reported that it was sent. */
  #placeFormer(attempt: number | undefined, orderId: string | undefined): void {
    const known = { ...(attempt !== undefined && { attempt }), ...(orderId !== undefined && { orderId }) }
    this.add({
      fact: 'sent',
      ...timed(this.#enteredAt),
      ...known,
      movement: movementOf(this.#intent),
      isCertain: false,
    })
  }
}

function termsOf({ market, rate, baseAmount, quoteAmount }: QuotedTerms) {
  return { market, rate, baseAmount, quoteAmount }
}

function timed(at: string | undefined): { readonly at?: string } {
  return at === undefined || at === '' ? {} : { at }
}
