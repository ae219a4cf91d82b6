// Takes a person's decision on an intent in doubt, from its evidence to its record. A desk and the function Resolve use it.
// It examines the evidence before the person is asked, and again before anything is written. It sends nothing.

import type { Clock } from '../clock.ts'
import { outcomeText } from '../contract/outcome-names.ts'
import { IntentKind } from '../contract/records.ts'
import type { Timing } from '../contract/timing.ts'
import { withdrawalCandidate } from '../contract/withdraw.ts'
import { type ExamineLostPorts, examineLost } from '../journal/examine-lost.ts'
import { attemptOf, type Intent, isConversion, isLost, isOpened, isWithdrawal } from '../journal/intent.ts'
import type { Journal } from '../journal/journal.ts'
import type { PersonsQuestion } from '../journal/persons-question.ts'
import type { Pin } from '../journal/pinned-account.ts'
import { type Examine, findResolvable, resolveIntent } from '../journal/resolution.ts'
import { type ExamineOrderPorts, examineOrder } from './conversion/examine-order.ts'
import { type ExamineWithdrawalPorts, examineWithdrawal } from './withdrawal/examine-withdrawal.ts'
import { candidatesIn } from './withdrawal/report.ts'

export interface ResolvePorts {
  readonly journal: Journal
  readonly lanes: ExamineWithdrawalPorts['lanes']
  readonly service: ExamineLostPorts['service'] & ExamineOrderPorts['service'] & ExamineWithdrawalPorts['service']
  readonly timing: Timing
  readonly clock: Pick<Clock, 'nowMs'>
  /** The account to which the journal is tied, where the journal has a pin. */
  findPin(): Promise<Pin | undefined>
}

interface Resolving {
  readonly kind: IntentKind
  readonly intentId: string
  /** Absent: the person says that nothing moved. */
  readonly movementId: string | undefined
  /** Whether the person says that the key in use and the key that signed belong to one account. */
  readonly isSameAccount: boolean
}

/**
 * Writes nothing.
 * @throws Refused with the evidence against it.
 * @throws Transient, Defect
 */
export async function examineDoubt(
  { kind, intentId, movementId, isSameAccount }: Resolving,
  ports: ResolvePorts,
): Promise<PersonsQuestion<Intent>> {
  const { journal, service } = ports
  const named = { intentId, kind }
  const examine = await examineWith(ports, isSameAccount)
  const intent = await findResolvable(named, movementId, examine, journal)
  const kid = await service.keyInUse()
  return {
    question: `${questionOf(intent, movementId)}${isSameAccount ? vouchingOf(intent, kid) : ''}?${doubtFacts(intent, movementId)}`,
    carryOut: ({ by, because, at, spoken }) =>
      resolveIntent(
        named,
        {
          ...{ by, because, at },
          ...(spoken !== undefined && { spoken }),
          ...(movementId !== undefined && { movementId }),
          ...(isSameAccount && { sameAccount: kid }),
        },
        examine,
        journal,
      ),
  }
}

async function examineWith(ports: ResolvePorts, isSameAccount: boolean): Promise<Examine> {
  const examining = { ...ports, word: { isSameAccount, pinned: await ports.findPin() } }
  const withdrawal = examineWithdrawal(examining)
  const order = examineOrder(examining)
  const lost = examineLost(examining)
  return (intent, movementId) => {
    if (isLost(intent)) return lost(intent, movementId)
    return intent.kind === IntentKind.Withdraw ? withdrawal(intent, movementId) : order(intent, movementId)
  }
}

function questionOf(intent: Intent, movementId: string | undefined): string {
  const kind = intent.kind === IntentKind.Convert ? 'conversion' : 'withdrawal'
  const subject = `intent ${intent.intentId} (${kind}: ${outcomeText(intent.state)})`
  if (movementId !== undefined) return `settle ${subject} as done, with movement ${movementId}`
  const isAccepted = isWithdrawal(intent) && intent.attempt?.accepted === true
  const acceptance = isAccepted ? ' although the service accepted it' : ''
  return `settle ${subject} as having moved nothing${acceptance}, for good`
}

function vouchingOf({ attempt }: Intent, kid: string): string {
  const signed = attempt === undefined ? 'those that signed' : attempt.kid
  return `, because you say that the keys ${kid} and ${signed} are of one account`
}

/**
 * Such as `It asked for 100 USDC to "exchange", signed at …. The movement: 100 USDC at …, PENDING.` Empty for a lost intent.
 */
export function doubtFacts(intent: Intent, movementId: string | undefined): string {
  if (!isOpened(intent) || intent.attempt === undefined) return ''
  const signed = `signed at ${new Date(attemptOf(intent).iat * 1000).toISOString()}`
  if (isConversion(intent)) {
    const { baseAmount, quoteAmount } = attemptOf(intent).terms
    const { side, baseAsset, quoteAsset } = intent.params
    return ` It asked to ${side === 'BUY' ? 'buy' : 'sell'} ${baseAmount} ${baseAsset} for ${quoteAmount} ${quoteAsset}, ${signed}.`
  }
  const { amount, assetSymbol, contactId, payee } = intent.frozen
  const to = payee.alias ?? payee.reference ?? `contact ${contactId}`
  const found = candidatesIn(intent.evidence).find(({ id }) => id === movementId)
  // A row that does not fit is left out of the sentence.
  const row = withdrawalCandidate.safeParse(found).data
  const movement =
    row === undefined ? '' : ` The movement: ${row.total} ${assetSymbol} at ${row.createdAt}, ${row.status}.`
  return ` It asked for ${amount} ${assetSymbol} to ${to}, ${signed}.${movement}`
}
