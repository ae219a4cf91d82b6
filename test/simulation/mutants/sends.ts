// Lists naive variants of what is sent, when, and how often.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { ORDER, SEND, WITHDRAW } from './texts.ts'

const PREPARE_WITHDRAWAL =
  'await (await sender.prepareWithdrawal({ amount, feeMode, contactId }, timing.tokenLifeSeconds)).send()'
const PREPARE_ORDER = 'await (await sender.prepareOrder(terms.orderId, timing.tokenLifeSeconds)).send()'

export const SEND_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'follow-retryable-order': amid(
    ['faults'],
    mutant(
      'convert',
      'signs and sends an order again on nonce_reused, which is marked retryable',
      edit(
        ORDER,
        SEND,
        `let answer = await prepared.send()
  if (answer.kind === 'unproven' && answer.said.code === 'nonce_reused') answer = ${PREPARE_ORDER}`,
      ),
    ),
  ),
  'follow-retryable-withdrawal': amid(
    ['faults'],
    mutant(
      'withdraw',
      'signs and sends a withdrawal again on nonce_reused, which is marked retryable',
      edit(
        WITHDRAW,
        SEND,
        `let answer = await prepared.send()
  if (answer.kind === 'unproven' && answer.said.code === 'nonce_reused') answer = ${PREPARE_WITHDRAWAL}`,
      ),
    ),
  ),
  'retry-5xx': mutant(
    'withdraw',
    'signs and sends a withdrawal again on a 5xx, which is marked retryable',
    edit(
      WITHDRAW,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven' && (answer.said.status ?? 0) >= 500) answer = ${PREPARE_WITHDRAWAL}`,
    ),
  ),
  'resend-order': mutant(
    'convert',
    'sends the same signed order again when no answer came',
    edit(
      ORDER,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven') answer = await prepared.send()`,
    ),
  ),
  'resend-withdrawal': mutant(
    'withdraw',
    'sends the same signed withdrawal again when no answer came',
    edit(
      WITHDRAW,
      SEND,
      `let answer = await prepared.send()
  if (answer.kind === 'unproven') answer = await prepared.send()`,
    ),
  ),
  'sign-again-with-new-key': mutant(
    'convert',
    'signs and sends again at once when the key was refused, as nothing can have moved',
    edit(
      ORDER,
      `if (answer.kind === 'accepted') return settle(armed, ports, terms.orderId)
  if (answer.said.keyAtFault) sender.forgetKeys()
`,
      `if (answer.kind !== 'accepted' && answer.said.keyAtFault) sender.forgetKeys()
  const again = answer.kind !== 'accepted' && answer.said.keyAtFault ? ${PREPARE_ORDER} : answer
  if (again.kind === 'accepted' || answer.kind === 'accepted') return settle(armed, ports, terms.orderId)
`,
    ),
  ),
  'send-before-arm': mutant(
    'withdraw',
    'sends, and then writes down that it does',
    edit(
      WITHDRAW,
      'const armed = await journal.advance(',
      `${SEND}
  const armed = await journal.advance(`,
    ),
    edit(
      WITHDRAW,
      `  ${SEND}
  if (answer.kind`,
      '  if (answer.kind',
    ),
  ),
  'any-attempts-quote': amid(
    [],
    mutant(
      'convert',
      'executes a quote that was asked for an earlier attempt',
      edit(ORDER, 'if (!quote || attempt !== intent.attemptNumber)', 'if (!quote)'),
    ),
  ),
}
