// What the stage `live` must have, or say that it goes without: a key for each role, contacts that are allowed, a bound on
// the value of a day, and more than one person's word to resume. A person decides; the file keeps the reason.
import { KeyRole, keySecretsOf, Stage, type Treasury } from '../contract/treasury.ts'
import { fault, type PolicyFault } from '../policies/policy-fault.ts'

/** Everything that is wrong with a live treasury; nothing for one of the stage `test`. */
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
      'another-role or two-people: who lets sending go on after a halt',
      resumedBy !== undefined,
    ),
  ]
}
