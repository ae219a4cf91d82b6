// Describes a request, its payee, and the facts of a JSON value in one phrase each. Pure. The caller must still make
// such facts printable.

import { type ConvertRequest, convertRequest } from '../../core/contract/convert.ts'
import type { PayeeFacts, PayeeLabels } from '../../core/contract/payee.ts'
import { type RunRequest, runRequest } from '../../core/contract/runs.ts'
import { payeeKindText } from '../../core/contract/service-names.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { type WithdrawRequest, withdrawRequest } from '../../core/contract/withdraw.ts'
import type { Intent } from '../../core/journal/intent.ts'

/** Such as `buy 0.25 BTC with USDC` or `sell ETH for 1000 USDC`. The side always refers to the base asset. */
export function askText({ side, baseAsset, quoteAsset, amountAsset, amount }: ConvertRequest): string {
  const isBaseLeg = amountAsset.toLowerCase() === baseAsset.toLowerCase()
  const base = isBaseLeg ? `${amount} ${baseAsset}` : baseAsset
  const quote = isBaseLeg ? quoteAsset : `${amount} ${quoteAsset}`
  return side === 'BUY' ? `buy ${base} with ${quote}` : `sell ${base} for ${quote}`
}

/**
 * Such as `send 100 USDC, fee included, to exchange-usdc-eth`. With the fee mode `add` the fee is added to the amount.
 */
export function sendText(
  { assetSymbol, amount, feeMode, contactId = '', contactReference }: WithdrawRequest,
  payee?: PayeeFacts,
): string {
  const fee = feeMode === 'add' ? 'the fee on top' : 'fee included'
  const payeeById = payeeText(contactId, payee)
  // A reference is an editable label, so the id is shown beside it.
  const named = contactReference !== undefined && contactId !== '' ? `${contactReference}, ${payeeById}` : undefined
  return `send ${amount} ${assetSymbol}, ${fee}, to ${named ?? contactReference ?? payeeById}`
}

/** The request in a few words, as people call it: such as `send 100 USDC to exchange-usdc-eth`. */
export function requestName(intent: Intent): string {
  if (intent.kind === 'convert') return requestText(intent)
  const request = withdrawRequest.safeParse(intent.params).data
  if (request === undefined) return factText(intent.params)
  const { amount, assetSymbol, contactId, contactReference } = request
  const { alias = null, reference = null } = intent.frozen.payee ?? {}
  return `send ${amount} ${assetSymbol} to ${alias ?? reference ?? contactReference ?? `contact ${contactId}`}`
}

/**
 * The payee in one phrase: the labels that people gave, the kind of contact, its destination, its last change, and its
 * id. Labels that were edited since the policy last paid it are shown beside the new ones, because anybody with the
 * bearer secret can edit them. Nobody approves a bare id. `payee` is absent where it is unknown.
 */
export function payeeText(contactId: string, payee: PayeeFacts | undefined): string {
  if (payee === undefined) return `contact ${contactId}`
  const { alias, reference, type, networkId, bank, updatedAt, paidAs } = payee
  const destination = [networkId === null ? '' : ` on ${networkId}`, bank === null ? '' : ` at ${bank}`].join('')
  const facts = [
    ...(reference === null ? [] : [`reference ${reference}`]),
    `${payeeKindText(type)}${destination}`,
    `last changed ${updatedAt}`,
    ...(paidAs === undefined ? [] : [`renamed since it was last paid, as ${labelsText(paidAs)}`]),
    `id ${contactId}`,
  ]
  return `${alias === null ? 'contact' : `"${alias}"`} (${facts.join(', ')})`
}

function labelsText({ alias, reference }: PayeeLabels): string {
  return [...(alias === null ? [] : [`"${alias}"`]), ...(reference === null ? [] : [`reference ${reference}`])].join(
    ', ',
  )
}

/**
 * Such as `run policy core` or `plan policy core, moving nothing`. A policy inside the request has no name, so its kind is
 * given.
 */
export function policyRequestText({ policy, shadow }: RunRequest): string {
  const policyText = typeof policy === 'string' ? `policy ${policy}` : `a ${policy.kind} policy`
  return shadow === true ? `plan ${policyText}, moving nothing` : `run ${policyText}`
}

/** The input of an execution in words. Undefined where it is no request of its state machine. */
export function inputText(stateMachine: string, input: unknown): string | undefined {
  const conversion = stateMachine === StateMachine.Convert ? convertRequest.safeParse(input).data : undefined
  if (conversion !== undefined) return askText(conversion)
  const withdrawal = stateMachine === StateMachine.Withdraw ? withdrawRequest.safeParse(input).data : undefined
  if (withdrawal !== undefined) return sendText(withdrawal)
  const run = runRequest.safeParse(input).data
  return run && policyRequestText(run)
}

/** The request in words. An invalid request is shown by its fields. */
export function requestText(intent: Intent): string {
  if (intent.kind === 'convert') {
    const request = convertRequest.safeParse(intent.params).data
    return request === undefined ? factText(intent.params) : askText(request)
  }
  const request = withdrawRequest.safeParse(intent.params).data
  return request === undefined ? factText(intent.params) : sendText(request, intent.frozen.payee)
}

/** `{a: 1, b: ["x", "y"]}` → `a 1, b x; y`. Empty values are left out. `shown` gives the text of a plain value. */
export function factText(value: unknown, shown: (text: string) => string = (text) => text): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.map((inner) => factText(inner, shown)).join('; ')
  if (typeof value !== 'object') return shown(String(value))
  return Object.entries(value)
    .map(([name, inner]) => [name, factText(inner, shown)] as const)
    .filter(([, text]) => text !== '')
    .map(([name, text]) => `${name} ${text}`)
    .join(', ')
}
