// Defines the kind `convert-and-withdraw`: an amount of one asset, or everything above `keep`, goes to a contact as
// another asset.
import { sameCode } from '../../contract/fields.ts'
import type { Guards } from '../../contract/guards.ts'
import type { ConvertAndWithdrawPolicy } from '../../contract/policies.ts'
import { contactFaults, marketFaults } from '../allowances.ts'
import type { Kind } from '../kind.ts'
import { fault, type Path, type PolicyFault, unitsOf } from '../policy-fault.ts'
import { NO_REFERENCES, named } from '../references.ts'

export const convertAndWithdraw: Kind<ConvertAndWithdrawPolicy> = {
  withdraws: true,
  faults: convertAndWithdrawFaults,
  keeps: (path, { keep }) => [{ at: path, keep }],

  references: ({ from, into, contactId }) => ({
    ...NO_REFERENCES,
    assets: [named('from', from), named('into', into)],
    contacts: [{ at: 'contactId', id: contactId, assets: [into] }],
    conversions: [{ at: 'into', gives: from, brings: into, hubs: [] }],
  }),

  givesUp: ({ from, into }) => [from, into],
  ownAssets: () => [],

  withdrawals: ({ from, into, amount, keep, contactId, feeMode, feeCeilingBps, smallest }) => [
    {
      key: '',
      assets: [from],
      convertInto: into,
      keep,
      contactId,
      canary: false,
      exactly: amount,
      feeMode,
      feeCeilingBps,
      smallest,
    },
  ],

  // A policy with an amount is a payment, so another policy may buy back what it takes without a conflict.
  drains: (path, { from, keep, amount }) =>
    amount === undefined
      ? [{ at: path, verb: 'converts', keep, codes: [from], takes: (other) => sameCode(from, other) }]
      : [],
}

function convertAndWithdrawFaults(path: Path, policy: ConvertAndWithdrawPolicy, guards: Guards): PolicyFault[] {
  const { from, into, amount, contactId } = policy
  const bounds = [policy.guards, guards]
  const isNone = amount !== undefined && unitsOf(amount) === 0n
  return [
    ...(sameCode(from, into) ? [fault([...path, 'into'], `expected an asset other than ${from}; got that one`)] : []),
    ...(isNone ? [fault([...path, 'amount'], `expected more than zero; got ${amount}`)] : []),
    ...(sameCode(from, into) ? [] : marketFaults([...path, 'into'], from, into, bounds)),
    ...contactFaults([...path, 'contactId'], contactId, bounds),
  ]
}
