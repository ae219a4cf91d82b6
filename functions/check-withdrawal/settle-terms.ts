// Settles the terms of a withdrawal from its request: contact, network, fee, and the amount rounded down. A part that
// does not fit throws Refused, which names the field.

import { sameCode } from '../../core/contract/fields.ts'
import { hasLabel, type PayeeFacts } from '../../core/contract/payee.ts'
import { Stage } from '../../core/contract/service-settings.ts'
import type { WithdrawRequest } from '../../core/contract/withdraw.ts'
import { Refused } from '../../core/errors.ts'
import type { WithdrawFrozen } from '../../core/journal/intent.ts'
import type { Pin } from '../../core/journal/pinned-account.ts'
import { amountTextOf, quantiseAmountDown, settledAmount } from '../../core/money/amount.ts'
import { formatDecimal, parseDecimal } from '../../core/money/decimal.ts'
import { namingField } from '../../core/movements/of-field.ts'
import { SUB_TYPES } from '../../core/movements/withdrawal/payee.ts'
import type { WithdrawalTerms } from '../../core/movements/withdrawal/ports.ts'
import { leastOf, routeOf, totalAt } from '../../core/movements/withdrawal/route.ts'

/**
 * @throws Refused with the field that does not fit, and what would.
 * @throws Transient, Defect
 */
export async function settleTerms(
  request: WithdrawRequest,
  contact: PayeeFacts,
  { account, stage }: Pin,
  terms: WithdrawalTerms,
): Promise<Omit<WithdrawFrozen, 'payee' | 'unitValues'>> {
  const asset = await namingField('assetSymbol', terms.asset(request.assetSymbol))
  if (!sameCode(asset.assetSymbol, request.assetSymbol)) {
    throw new Refused(`input.assetSymbol: expected the settled code ${asset.assetSymbol}; got ${request.assetSymbol}`)
  }
  const route = routeOf(contact, asset)
  const subTypes = SUB_TYPES[contact.type] ?? []
  const increment = parseDecimal(asset.amountIncrement, 'amountIncrement')
  const asked = settledAmount(asset.assetSymbol, request.amount, 'input.amount')
  const amount = quantiseAmountDown(asked, increment)

  const feeMode = request.feeMode ?? 'deduct'
  const least = leastOf(route, feeMode)
  if (amount.value <= 0n || amount.value < least) {
    const cut = `, which is ${amountTextOf(amount)} in its increment of ${formatDecimal(increment)}`
    throw new Refused(
      `input.amount: expected at least ${formatDecimal(least)} ${asset.assetSymbol} under feeMode ${feeMode}; got ${request.amount}${amount.value < asked.value ? cut : ''}`,
    )
  }
  const sent = { amount: amountTextOf(amount), feeMode }
  return {
    ...{ account, stage },
    assetSymbol: asset.assetSymbol,
    ...(!sameCode(asset.rebasedSymbol, asset.assetSymbol) && { rebasedSymbol: asset.rebasedSymbol }),
    ...sent,
    increment: formatDecimal(increment),
    contactId: contact.contactId,
    subTypes,
    networkId: route.networkId,
    fee: formatDecimal(route.fee),
    total: formatDecimal(totalAt(route.fee, sent)),
  }
}

/**
 * Finds the contact. A live withdrawal must name it by id, because the bearer secret alone can give a reference to
 * another contact: editing a label needs no signature. Throws Refused where no contact matches, several match, or its
 * label differs from the request.
 * @throws Transient, Defect
 */
export async function findDestination(
  request: WithdrawRequest,
  stage: string,
  terms: Pick<WithdrawalTerms, 'contact' | 'findContact'>,
): Promise<PayeeFacts> {
  const { contactId, contactReference = '' } = request
  if (stage === Stage.Live && contactId === undefined) {
    throw new Refused(
      'input.contactId: expected the id of the contact, as the stage is live; contactReference alone can be given to another contact by whoever has the bearer secret',
    )
  }
  if (contactId !== undefined) {
    const contact = await namingField('contactId', terms.contact(contactId))
    if (hasLabel(request.contactReference, contact)) return contact
    throw new Refused(
      `input.contactReference: expected the reference or alias of contact ${contactId}; got ${contactReference}`,
    )
  }
  const found = await terms.findContact(contactReference)
  if (!found)
    throw new Refused(
      `input.contactReference: no contact has the reference ${contactReference}; contacts are made in the dashboard`,
    )
  return found
}
