// Mutants of the journal's writes: moves of an intent, claims and lanes.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { HOLDER, JOURNAL, LANES, MISSING_BEFORE, ORDER, VERDICTS, WITHDRAW } from './texts.ts'

const ADVANCE = 'await putRecord(writer, pk, fieldsOfIntent(moved), intent.version)'
/** Removes the check of the list before a send, so that only claims protect from rows of other intents. */
const UNCHECKED_LIST = edit(WITHDRAW, MISSING_BEFORE, 'if (missing === timing) return')
const OPEN_HOLDERS = 'const open = others.filter(({ state }) => !isSettled(state))'

export const WRITE_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'arm-without-version': mutant(
    'convert',
    'continues after its move failed, because another execution had made a move first',
    edit(
      JOURNAL,
      `const outcome = ${ADVANCE}\n      if (outcome === 'written') return moved`,
      `${ADVANCE}\n      if (moved) return moved`,
    ),
  ),
  'stale-move-again': mutant(
    'convert',
    'repeats its move on the newer record of another execution, unless that record has an end',
    edit(
      JOURNAL,
      "if (outcome === 'written') return moved\n",
      `if (outcome === 'written') return moved
      const latest = (await find(intent.intentId, intent.kind)) as Kind | undefined
      if (latest !== undefined && latest.outcome === undefined && latest.ref === undefined) {
        const again: Kind = { ...latest, ...move, version: latest.version + 1 }
        if ((await putRecord(writer, pk, fieldsOfIntent(again), latest.version)) === 'written') return again
      }
`,
    ),
  ),
  'trust-unheard-write': mutant(
    'withdraw',
    'takes an unconfirmed write as done',
    edit(
      'core/journal/record-store.ts',
      '// It is not stored now, but a failed write may still be applied later. The version protects the next write.',
      "if (failure !== CONDITION_FAILED) return 'written'",
    ),
  ),
  'skip-claims': amid(
    ['past'],
    mutant(
      'withdraw',
      'sends though the list lacks the row of the withdrawal before, and then adopts that row, which is claimed',
      UNCHECKED_LIST,
      edit(
        'core/movements/withdrawal/other-writers.ts',
        '[undefined, intentId].includes(holders.get(id))',
        'id !== undefined',
      ),
      edit(
        JOURNAL,
        'return holder === intentId ? undefined : String(holder)',
        'return holder === holder ? undefined : String(holder)',
      ),
    ),
  ),
  'claim-unheard-withdrawal': amid(
    ['misnamed'],
    mutant(
      'mixed',
      'sends though the list lacks the row of the withdrawal before, and ignores that another intent claimed a row',
      UNCHECKED_LIST,
      edit(
        VERDICTS,
        HOLDER,
        `${HOLDER.replace('const holder', 'const heard')}
    const holder = intent.kind === 'withdraw' ? undefined : heard`,
      ),
    ),
  ),
  'done-then-claim': mutant(
    'withdraw',
    'writes DONE, and claims the row after that',
    edit(
      VERDICTS,
      HOLDER,
      `if (intent.kind === 'withdraw') {
      const done = await ports.journal.advance(intent, doneMove(intent, movementId))
      await ports.journal.claim(intent.kind, movementId, intent.intentId)
      return report(done, ports)
    }
    ${HOLDER}`,
    ),
  ),
  'no-lane': mutant(
    'withdraw',
    'sends although another withdrawal of the asset is in doubt',
    edit(
      WITHDRAW,
      'if (lane.heldBy !== undefined)\n    return held(',
      'if (lane.heldBy === intent.intentId)\n    return held(',
    ),
  ),
  'steal-lane': mutant(
    'withdraw',
    'takes the lane of an intent that is not settled',
    edit(LANES, OPEN_HOLDERS, 'const open = others.slice(others.length)'),
  ),
  'lane-taken-by-both': mutant(
    'withdraw',
    'takes a free lane that another intent has taken meanwhile',
    edit(LANES, "return outcome === 'written' ?", 'return outcome !== undefined ?'),
  ),
  'rejected-keeps-lane': mutant(
    'withdraw',
    'keeps the lane of a rejected withdrawal',
    edit(LANES, OPEN_HOLDERS, OPEN_HOLDERS.replace('!isSettled(state)', "!isSettled(state) || state === 'REJECTED'")),
  ),
  'escalated-frees-lane': mutant(
    'withdraw',
    'takes the lane of a withdrawal that waits for a person',
    edit(LANES, OPEN_HOLDERS, OPEN_HOLDERS.replace('!isSettled(state)', "!isSettled(state) && state !== 'ESCALATED'")),
  ),
  'ready-frees-lane': mutant(
    'withdraw',
    'takes the lane of a withdrawal that has sent nothing yet',
    edit(LANES, OPEN_HOLDERS, OPEN_HOLDERS.replace('!isSettled(state)', "!isSettled(state) && state !== 'READY'")),
  ),
  // An entry that holds the lane already must still check that the list has the rows of the earlier sender.
  'own-lane-forgets-sender': mutant(
    'withdraw',
    'does not check which intent sent before it, if it holds the lane already',
    edit(
      LANES,
      'const remembered = await findSender(lane && checkRecord(laneFields, lane).before)',
      'const isOwn = lane && checkRecord(laneFields, lane).holders.includes(intentId)\n    const remembered = isOwn ? undefined : await findSender(lane && checkRecord(laneFields, lane).before)',
    ),
  ),
  'an-attempt-more': amid(
    ['attempts'],
    mutant(
      'convert',
      'makes one attempt more than is configured',
      edit(
        ORDER,
        'if (intent.attemptNumber >= ports.timing.attempts)',
        'if (intent.attemptNumber > ports.timing.attempts)',
      ),
    ),
  ),
  'attempts-without-number': mutant(
    'convert',
    'gives its next attempt the number of the previous attempt',
    edit('core/journal/moves.ts', 'attemptNumber: intent.attemptNumber + 1', 'attemptNumber: intent.attemptNumber'),
  ),
  'claims-without-kind': mutant(
    'mixed',
    'mistakes the claim on an order for a claim on the withdrawal with the same id',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the product
    edit('core/contract/records.ts', '`C#${kind}#${movementId}`', '`C#${movementId}`'),
  ),
}
