// Writes one or a few plain sentences for each fact of an intent: what happened, and why. Each kind of fact has one
// function. It gets the fact and the context of its intent, so the same facts always give the same text. Pure.
import { executionEndText } from '../../core/contract/code-names.ts'
import { outcomeText } from '../../core/contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { LISTENING_SECONDS } from '../../core/contract/timing.ts'
import type { AnsweredFact, Fact, FactOf, SettledFact } from '../../operations/movements/facts.ts'
import { momentText, type SentenceContext, seconds } from './telling.ts'

type SentenceOf = { readonly [Name in Fact['fact']]: (fact: FactOf<Name>, context: SentenceContext) => string }

const sentences: SentenceOf = {
  asked: ({ what, notAfter, policy, run, requestId }, context) => {
    const leg =
      run === undefined ? '' : `It is a leg of run ${run}${policy === undefined ? '' : ` of policy ${policy}`}.`
    const behalf = run === undefined && policy !== undefined ? `It is on behalf of policy ${policy}.` : ''
    const event = requestId === undefined ? '' : `The event ${requestId} asked for it.`
    const until = `Nothing is sent for it from ${momentText(notAfter, context)} on.`
    return joined(`A ${context.noun} was asked for: ${what}.`, leg, behalf, event, until)
  },

  entered: ({ execution }) => `The execution ${execution} went through its steps again.`,

  checked: ({ assetSymbol, amount, fee, total, networkId, to }) => {
    const network = networkId === null ? '' : `, on the network ${networkId}`
    return `The checks passed. To be sent were ${amount} ${assetSymbol}${network}, to ${to}. With a fee of ${fee}, at most ${total} ${assetSymbol} would leave the account.`
  },

  quoted: ({ orderId, terms: { baseAmount, quoteAmount, market, rate }, expiresAt }, context) => {
    const until =
      expiresAt === null
        ? 'Until when it was good is not known.'
        : `It was good until ${momentText(expiresAt, context)}.`
    return `The service quoted ${baseAmount} for ${quoteAmount} in ${market}, at a rate of ${rate}, as order ${orderId}. ${until}`
  },

  held: ({ why }) => `Nothing was sent yet, and nothing was in doubt: ${sentence(why)}`,

  sent: ({ movement, nonce, key, tokenEndsAt, knownRows, isCertain }, context) => {
    if (nonce === undefined) {
      return `An attempt to send the ${movement} was written down, and sent at most once. The journal keeps no more of it.`
    }
    const rows =
      knownRows === undefined
        ? ''
        : `First, Sluice noted which withdrawals of this asset were there already: ${knownRows}.`
    const signed = `Sluice wrote down that it was about to send the ${movement}, signed with the key ${key ?? '?'} and the nonce ${nonce}.`
    const sent = isCertain ? 'It then sent it, once.' : 'From then on it may have been sent, once.'
    const ends = tokenEndsAt === undefined ? '' : `The signature was good until ${momentText(tokenEndsAt, context)}.`
    return joined(rows, signed, sent, ends)
  },

  answered: (fact) => answerSentence(fact),

  doubt: ({ movement, until, fence, looks = 1 }, context) => {
    const fenceAt = momentText(until, context)
    const looked = looks > 1 ? `Sluice looked ${looks} times meanwhile.` : ''
    const open = context.isOpen ? 'is' : 'was'
    const doubt = `Whether money moved ${open} not certain. Until ${fenceAt} a missing ${movement} proves nothing`
    if (fence === undefined) return joined(`${doubt}, because a copy of the request could still be accepted.`, looked)
    const { lastCopyDeadAt, listenedUntil, visibilitySeconds } = fence
    const listening =
      listenedUntil === undefined
        ? `, may have been processed without an answer for ${seconds(LISTENING_SECONDS)} more`
        : ''
    const because = `a copy of the request could be accepted until ${momentText(lastCopyDeadAt, context)}${listening}, and what was accepted may take ${seconds(visibilitySeconds)} to show`
    return joined(`${doubt}: ${because}.`, looked)
  },

  'attempt ended': ({ movement, why, wasInDoubt }) =>
    wasInDoubt
      ? `${lookedSentence(movement)} So this attempt moved nothing. Why it ended: ${sentence(why)}`
      : `This attempt moved nothing: ${sentence(why)}`,

  fault: ({ state, error, message }) => {
    const what = message === '' ? error : `${error}: ${message.slice(0, MOST_FAULT)}`
    return `The step ${state} failed (${what}). It may be entered again, because each step reads the journal first.`
  },

  stopped: ({ execution, status, error }) =>
    `The execution ${execution} ${executionEndText(status)}${error === undefined ? '' : ` (${outcomeText(error)})`}.`,

  proven: ({ movement, movementId, by, claimedBy }, { intentId }) => {
    const known = { answer: 'The service accepted it', look: 'Sluice looked at the service and found it' }
    const proof = by === undefined ? "It is proven, by the service's answer or by a later check" : known[by]
    const claims =
      claimedBy === intentId
        ? 'It is tied to this intent, and to no other.'
        : claimedBy === undefined
          ? 'The journal has no claim of it yet.'
          : `The journal ties it to ${claimedBy}.`
    return `${proof}: ${movement} ${movementId}. ${claims}`
  },

  moving: ({ why }) => `The movement existed and was not settled: ${sentence(why)}`,

  settled: (fact) => settledSentence(fact),

  zero: ({ outcome, why, guardedBy, evidence, movement }) => {
    const isRefused = outcome === WithdrawEnd.Rejected || outcome === ConvertEnd.PriceRefused
    const guarded = isRefused ? `The guard "${guardedBy}" refused it` : 'Nobody decided on it in time'
    const reason = guardedBy === undefined ? sentence(why) : `${guarded}: ${sentence(why)}`
    const certified = {
      'never armed': 'Nothing was ever sent for it, so nothing moved.',
      looked: `${lookedSentence(movement)} No copy of the request can be accepted any more, so nothing moved.`,
      journal: 'The journal certifies that no attempt moved anything, and that none can any more.',
      'a person': 'A person settled that nothing moved.',
    }[evidence]
    return joined(
      certified,
      `It ended: ${outcomeText(outcome)}.`,
      reason === '' ? '' : `Why: ${reason}`,
      'The money is where it was.',
    )
  },

  escalated: ({ why, candidates }) => {
    const ids = candidates.map(({ id }) => String(id))
    const rows = ids.length === 0 ? '' : `Candidates: ${ids.join(', ')}.`
    return joined(`A person must decide what it moved: ${sentence(why)}`, rows)
  },

  resolved: ({ by, because, movementId }, { movement }) => {
    const decision = movementId === undefined ? 'that nothing moved' : `that ${movement} ${movementId} is its movement`
    return `${by} decided ${decision}: ${sentence(because)}`
  },

  open: ({ state, isUnderWay, until }, context) => {
    const course = isUnderWay === undefined ? '' : courseText(isUnderWay)
    if (state === 'READY') return joined('Nothing has moved, and nothing is in doubt.', course)
    const fence =
      until === undefined
        ? ''
        : `That can be certain at ${momentText(until, context)} at the earliest, unless it is found before.`
    return joined('It is not certain whether money moved.', fence, course)
  },
}

/** Maximum characters of a fault's text. */
const MOST_FAULT = 200

export function sentenceOf<Name extends Fact['fact']>(fact: FactOf<Name>, context: SentenceContext): string {
  // The name of a fact decides its shape, but the type system does not follow that through a table.
  const write = sentences[fact.fact] as (fact: FactOf<Name>, context: SentenceContext) => string
  return write(fact, context)
}

function answerSentence({ answer, code = '', status, text = '' }: AnsweredFact): string {
  const reply = status === undefined ? code : `${status} ${code}`.trim()
  switch (answer) {
    case 'accepted unread':
      return `The service accepted it (${reply}), but its answer could not be read: ${sentence(text)} So money moves, and the list must show which row it is.`
    case 'refused':
      return `The service refused it (${reply}): ${sentence(text)} A refusal alone proves nothing, because a copy of the request could still be accepted.`
    case 'key refused':
      return `The service refused the key (${reply}): ${sentence(text)} That proves nothing about the request, because a copy of it could still be accepted.`
    case 'failed':
      return `The service answered with an error (${reply}): ${sentence(text)} An error proves nothing.`
    case 'none':
      return code === 'timed_out'
        ? `No answer came within ${seconds(LISTENING_SECONDS)}.`
        : `No answer came${code === 'no_answer' ? '' : ` (${reply})`}: ${sentence(text)}`
    default:
      return 'No answer to it was recorded.'
  }
}

function courseText(isUnderWay: boolean): string {
  return isUnderWay
    ? 'Its execution is still under way, and continues by itself.'
    : 'No execution of it is under way: the same command again continues it.'
}

function lookedSentence(movement: 'order' | 'withdrawal'): string {
  return movement === 'order'
    ? 'After that, Sluice asked the service for the order by its id, and the service had no such order.'
    : 'After that, Sluice read the list of withdrawals completely, and no row could be its withdrawal.'
}

/** Ends the text with a full stop. */
function sentence(text: string): string {
  return text === '' || /[.!?]$/.test(text) ? text : `${text}.`
}

function joined(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

function settledSentence(fact: SettledFact): string {
  return fact.movement === 'order' ? orderSentence(fact) : withdrawalSentence(fact)
}

function orderSentence({
  outcome,
  baseAmount = '0',
  quoteAmount = '0',
  market,
  rate,
  fills,
  why,
}: SettledFact): string {
  const traded = `${baseAmount} for ${quoteAmount}${market === undefined ? '' : ` in ${market}`}`
  const at = rate === undefined ? '' : `, at a rate of ${rate}`
  const parts = fills === undefined || fills.length < 2 ? '' : ` in ${fills.length} fills`
  if (outcome === ConvertEnd.Filled) return `The order is filled: ${traded}${at}${parts}. The money is in the account.`
  if (outcome === ConvertEnd.Failed)
    return `The order failed, after ${traded} had been filled. The rest was never taken.`
  return `When Sluice last looked, the order was not settled: ${traded} had been filled.${because(why)}`
}

function withdrawalSentence(fact: SettledFact): string {
  const { outcome, assetSymbol = '', amount = '?', fee = '?', total = '?', why } = fact
  const sum = `${amount} ${assetSymbol} for a fee of ${fee}, ${total} ${assetSymbol} in all`
  if (outcome === WithdrawEnd.Completed) return `The withdrawal is complete: ${sum}.${placesOf(fact)}`
  if (outcome === WithdrawEnd.FailedRefunded && fact.isByBalance)
    return `The withdrawal failed.${because(why)} A credit of the same amount would look the same, so a person looks for the refund before it is paid again.`
  if (outcome === WithdrawEnd.FailedRefunded)
    return `The withdrawal failed, and the money is in the account.${because(why)}`
  if (fact.isRefundDue)
    return `When Sluice last looked, the service called the withdrawal failed, and its refund was not proven: ${sum}.${because(why)}`
  return `When Sluice last looked, the withdrawal was not settled: ${sum}.${placesOf(fact)}${because(why)}`
}

function placesOf({ networkId, transactionHash, bankReference }: SettledFact): string {
  const network = networkId === null || networkId === undefined ? '' : ` It went by the network ${networkId}.`
  const hash =
    transactionHash === null || transactionHash === undefined ? '' : ` Its transaction is ${transactionHash}.`
  const bank = bankReference === null || bankReference === undefined ? '' : ` Its bank reference is ${bankReference}.`
  return `${network}${hash}${bank}`
}

function because(why: string | undefined): string {
  return why === undefined ? '' : ` Its reason: ${why}.`
}
