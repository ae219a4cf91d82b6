// Checks the precautions that the stage `live` must have or waive: a key for each role, allowed contacts, a daily bound
// on value, and a rule for who may resume. A person decides, and the file keeps the reason.
import { KeyRole, Stage } from '../contract/service-settings.ts'
import { keySecretsOf, type Treasury } from '../contract/treasury.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'

/** Every fault of a live treasury; empty for the stage `test`. */
export function findLiveFaults({ guards, resumedBy, service, waives }: Treasury): readonly PolicyFault[] {
  if (service.stage !== Stage.Live) return []
  const hasSplitKeys = keySecretsOf(service).length === Object.keys(KeyRole).length
  const missing = (waived: keyof Treasury['waives'], path: readonly string[], expected: string, has: boolean) =>
    has || waives[waived] !== undefined
      ? []
      : [fault(path, `expected ${expected}, as the stage is live; or say why not in waives.${waived}`)]
  return [
    ...missing('splitKeys', ['service', 'keys'], 'a secret of its own for read, trade and transfer', hasSplitKeys),
    ...missing(
      'allowedContacts',
      ['guards', 'allowedContacts'],
      'the contacts that withdrawals may go to ([] for none)',
      guards.allowedContacts !== undefined,
    ),
    ...missing(
      'dailyBounds',
      ['guards', 'total', 'daily'],
      'the most value that may move in a day',
      guards.total?.daily !== undefined,
    ),
    ...missing(
      'resumedBy',
      ['resumedBy'],
      'another-role or two-people: who may resume after a halt',
      resumedBy !== undefined,
    ),
  ]
}
