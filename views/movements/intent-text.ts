// Shows one intent as lines for a screen, and as JSON: the request, its attempts, its movement, and its state. Pure.

import { outcomeText, REFUND_DUE } from '../../core/contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { endOf, type Intent } from '../../core/journal/intent.ts'
import { printable } from '../../core/printable.ts'
import type { Fact, FactOf } from '../../operations/movements/facts.ts'
import { type LoadedIntent, settledOf } from '../../operations/movements/load-intent.ts'
import type { Unrecorded } from '../../operations/movements/unrecorded.ts'
import type { Column } from '../../operations/words/column.ts'
import { factText, payeeText, requestText } from '../../operations/words/request-words.ts'
import type { ExecutionHistory } from '../../place/executions/execution-history.ts'
import { recordLines, tableLines, textLines, UNBOUNDED } from '../text/table.ts'

const says: Readonly<Record<IntentState, string>> = {
  [IntentState.Ready]: 'nothing is in doubt, and nothing has moved',
  [IntentState.Armed]: 'sent, and not settled yet',
  [IntentState.Done]: 'the service accepted it, exactly once',
  [IntentState.Rejected]: 'it was refused, and it is certain that nothing moved',
  [IntentState.Exhausted]: 'its attempts or its time are over, and it is certain that nothing moved',
  [IntentState.Escalated]: 'a person must decide what it moved',
}

const MOVED = 'it moved, exactly once'
const CAME_BACK = 'it moved exactly once, failed, and came back'
const BACK_BY_BALANCE = 'it moved exactly once, and failed; only the balance shows that it came back'

/** `as` says as which id of the intent the given id was found. */
export function intentJson({ intent, histories, claimedBy, facts, attention, ownId }: LoadedIntent, as: string) {
  const { kind, intentId, state, createdAt, notAfter, params, attemptNumber, ref, guardedBy } = intent
  const { outcome, why } = endOf(intent)
  const settled = settledOf({ facts })
  return {
    kind,
    intentId,
    ownId,
    foundAs: as,
    state,
    outcome: outcome ?? settled?.outcome,
    why,
    guardedBy,
    asked: params,
    createdAt,
    notAfter,
    account: intent.frozen.account,
    attempts: attemptNumber,
    movementId: ref,
    claimedBy,
    executions: histories.map(({ steps: _steps, ...known }) => known),
    needsPerson: attention && { why: attention.why, next: attention.next },
    facts,
  }
}

export function intentLines(loaded: LoadedIntent, width = UNBOUNDED): string[] {
  const { intent, facts, histories, attention } = loaded
  const { state, kind, intentId, createdAt, notAfter, guardedBy, params } = intent
  const { outcome, why } = endOf(intent)
  const settled = settledOf(loaded)
  return [
    ...textLines(headOf(state, settled), width),
    ...fields(
      [
        ['asked', requestText(intent)],
        ['intent', `${intentId} (${kind})`],
        ['own id', loaded.ownId],
        ['outcome', outcome ?? settled?.outcome],
        ['why', why],
        ['guard', guardedBy],
        ['asked at', createdAt],
        ['sent before', notAfter],
        ['policy', textOf(params.policy)],
        ['run', textOf(params.run)],
        ['event', textOf(params.requestId)],
        ['to', payeeOf(intent)],
        ['account', intent.frozen.account],
        ['needs', attention && `a person: ${attention.why}`],
      ],
      width,
    ),
    ...attemptsIn(facts).flatMap((group) => part(titleOf(group), attemptFields(group), width)),
    ...part('movement', movementFields(loaded, settled), width),
    ...candidateLines(facts, width),
    ...part('decided by a person', resolvedFields(facts), width),
    ...executionLines(histories, width),
  ]
}

const ENDS: Readonly<Record<string, string>> = {
  [WithdrawEnd.Completed]: MOVED,
  [ConvertEnd.Filled]: MOVED,
  [WithdrawEnd.FailedRefunded]: CAME_BACK,
}

/** The first line: the state of the journal, or the end of a withdrawal that failed after it was accepted. */
function headOf(state: IntentState, settled: FactOf<'settled'> | undefined): string {
  const { outcome = '', isByBalance, isRefundDue } = settled ?? {}
  if (isRefundDue) return `${REFUND_DUE}  the service accepted it, calls it failed, and shows no refund`
  if (isByBalance) return `${outcome}  ${BACK_BY_BALANCE}`
  const word = outcome === WithdrawEnd.FailedRefunded ? outcome : state
  return `${word}  ${ENDS[outcome] ?? says[state]}`
}

export function unrecordedJson({ histories, ...known }: Unrecorded) {
  return { ...known, executions: histories.map(({ steps: _steps, input: _input, ...execution }) => execution) }
}

export function unrecordedLines(unrecorded: Unrecorded, width = UNBOUNDED): string[] {
  const { kind, id, state, asked, startedAt, why, needsPerson, histories } = unrecorded
  return [
    ...textLines(`${state}  ${outcomeText(state)}`, width),
    ...fields(
      [
        ['asked', asked],
        ['id', `${id} (${kind})`],
        ['record', 'none in the journal'],
        ['started', startedAt],
        ['why', why],
        ['needs', needsPerson ? 'a person' : undefined],
      ],
      width,
    ),
    ...executionLines(histories, width),
  ]
}

type Field = readonly [title: string, text: string | null | undefined, isAmount?: true]

function titleOf({ attempt }: AttemptGroup): string {
  return attempt === undefined ? 'attempt' : `attempt ${attempt}`
}

function attemptFields({ quoted, sent, answered, doubt, ended }: AttemptGroup): Field[] {
  return [
    ['order', quoted?.orderId ?? sent?.orderId],
    ['quote', quoted && quoteText(quoted)],
    ['signed', sent?.at],
    ['key', sent?.key],
    ['nonce', sent?.nonce],
    ['sent', sent && sentText(sent)],
    ['answer', answered && answerText(answered)],
    ['until', doubt && `${doubt.until}: before, absence proves nothing${fenceText(doubt)}`],
    ['ended', ended && `moved nothing${ended.wasInDoubt ? ', looked for past the fence' : ''}: ${ended.why}`],
  ]
}

function quoteText({ terms: { baseAmount, quoteAmount, market, rate }, expiresAt }: FactOf<'quoted'>): string {
  return `${baseAmount} for ${quoteAmount} in ${market} at ${rate}, until ${expiresAt ?? 'it is not known when'}`
}

function sentText({ isCertain, tokenEndsAt, knownRows }: FactOf<'sent'>): string {
  const sure = isCertain ? 'once' : 'at most once'
  const ends = tokenEndsAt === undefined ? '' : `, signature good until ${tokenEndsAt}`
  return `${sure}${ends}${knownRows === undefined ? '' : `, rows known before: ${knownRows}`}`
}

function answerText({ answer, code, status, text, at }: FactOf<'answered'>): string {
  const received = [status, code].filter((part) => part !== undefined).join(' ')
  return [answer, received, text, at && `heard by ${at}`].filter((part) => part !== undefined && part !== '').join(', ')
}

function fenceText({ fence }: FactOf<'doubt'>): string {
  if (fence === undefined) return ''
  const { lastCopyDeadAt, listenedUntil, visibilitySeconds } = fence
  const listened = listenedUntil === undefined ? ', 15 s of listening' : ''
  return ` (last copy ${lastCopyDeadAt}${listened}, ${visibilitySeconds} s to show)`
}

function movementFields({ intent, facts }: LoadedIntent, settled: FactOf<'settled'> | undefined): Field[] {
  const proven = facts.find((fact) => fact.fact === 'proven')
  if (proven === undefined) return []
  const by = { answer: 'the service accepted it', look: 'it was found at the service' }
  return [
    [proven.movement, proven.movementId],
    ['proven', proven.by === undefined ? 'accepted, or found afterwards' : by[proven.by]],
    ['tied to', proven.claimedBy === intent.intentId ? 'this intent alone' : (proven.claimedBy ?? 'no intent yet')],
    ['outcome', settled?.outcome],
    ['base amount', settled?.baseAmount, true],
    ['quote amount', settled?.quoteAmount, true],
    ['market', settled?.market],
    ['rate', settled?.rate, true],
    ['amount', settled?.amount, true],
    ['fee', settled?.fee, true],
    ['total', settled?.total, true],
    ['asset', settled?.assetSymbol],
    ['network', settled?.networkId],
    ['transaction', settled?.transactionHash],
    ['bank reference', settled?.bankReference],
    ['why', settled?.why],
    ['reported', settled?.at],
  ]
}

function resolvedFields(facts: LoadedIntent['facts']): Field[] {
  const resolved = facts.find((fact) => fact.fact === 'resolved')
  if (resolved === undefined) return []
  const { by, because, at, movementId } = resolved
  return [
    ['by', by],
    ['at', at],
    ['decision', movementId === undefined ? 'nothing moved' : `the movement is ${movementId}`],
    ['because', because],
  ]
}

function candidateLines(facts: LoadedIntent['facts'], width: number): string[] {
  const { candidates = [] } = facts.find((fact) => fact.fact === 'escalated') ?? {}
  const lines = candidates.flatMap((row) => textLines(printable(factText(row)), width - INDENT.length))
  return lines.length === 0 ? [] : ['', 'candidates:', ...lines.map((line) => `${INDENT}${line}`)]
}

const executionColumns: readonly Column<ExecutionHistory>[] = [
  { title: 'started', text: ({ startedAt = '' }) => startedAt, isTime: true },
  { title: 'ended', text: ({ endedAt = '' }) => endedAt, isTime: true },
  { title: 'status', text: ({ status, error }) => (error === undefined ? status : `${status} ${error}`) },
  { title: 'execution', text: ({ name, executionArn }) => executionArn ?? name, isId: true },
]

function executionLines(histories: readonly ExecutionHistory[], width: number): string[] {
  if (histories.length === 0) return ['', ...textLines('executions: none is kept', width)]
  const lines = tableLines(executionColumns, histories, width - INDENT.length)
  return ['', 'executions:', ...lines.map((line) => `${INDENT}${line}`)]
}

const INDENT = '  '

function part(title: string, all: readonly Field[], width: number): string[] {
  const lines = fields(all, width - INDENT.length)
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `${INDENT}${line}`)]
}

/** Leaves out fields without a value. */
function fields(all: readonly Field[], width: number): string[] {
  const columns = all.flatMap(([title, text, isAmount = false]) =>
    text === undefined || text === null || text === '' ? [] : [{ title, text: () => text, isAmount }],
  )
  return recordLines(columns, undefined, width)
}

/** The payee of a withdrawal, as its checks saw the contact. */
function payeeOf(intent: Intent): string | undefined {
  if (intent.kind !== 'withdraw' || intent.frozen.contactId === undefined) return undefined
  return payeeText(intent.frozen.contactId, intent.frozen.payee)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

interface AttemptGroup {
  /** Absent where the records lack the number. */
  readonly attempt?: number
  readonly quoted?: FactOf<'quoted'>
  readonly sent?: FactOf<'sent'>
  readonly answered?: FactOf<'answered'>
  readonly doubt?: FactOf<'doubt'>
  readonly ended?: FactOf<'attempt ended'>
}

/** A quote begins an attempt, and so does a send without a quote. */
function attemptsIn(facts: readonly Fact[]): AttemptGroup[] {
  const groups: AttemptGroup[] = []
  const extend = (more: AttemptGroup) => {
    groups[Math.max(0, groups.length - 1)] = { ...groups.at(-1), ...more }
  }
  for (const fact of facts) {
    const last = groups.at(-1)
    switch (fact.fact) {
      case 'quoted':
        // A quote without a send was replaced within the same attempt.
        if (last?.quoted !== undefined && last.sent === undefined && last.ended === undefined) groups.pop()
        groups.push({ ...numberOf(fact), quoted: fact })
        break
      case 'sent':
        if (last === undefined || last.sent !== undefined || last.ended !== undefined) groups.push({})
        extend({ ...numberOf(fact), sent: fact })
        break
      case 'answered':
        extend({ answered: fact })
        break
      case 'doubt':
        extend({ doubt: fact })
        break
      case 'attempt ended':
        extend({ ended: fact })
    }
  }
  return groups
}

function numberOf({ attempt }: { readonly attempt?: number }): { readonly attempt?: number } {
  return attempt === undefined ? {} : { attempt }
}
