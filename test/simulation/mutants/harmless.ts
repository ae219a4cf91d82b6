// Variants that are no worse than the product, as far as any world of ours can tell.
import { edit, mutant, type SimulatedMutant } from '../mutant.ts'
import {
  BUDGETS,
  FLOORS,
  HOLDER,
  IS_ONE,
  LOOK_FOR_ORDER,
  MATCH,
  ORDER,
  OWN_KEY,
  PAGES,
  ROWS_BEFORE_ARM,
  TAKE_LANE,
  VERDICTS,
  WITHDRAW,
} from './texts.ts'

/**
 * Variants that break nothing in any world within the assumptions, as another rule stands in for what they leave
 * out, and three that break too rarely: shown so that nobody takes them for caught. Tests of single steps hold on to what they leave out.
 */
export const HARMLESS: Readonly<Record<string, SimulatedMutant>> = {
  // Too rare: a clock set back while nobody answers, of a request that is worked on to the end of what is promised.
  'listened-by-the-own-clock': mutant(
    'convert',
    'writes down by its own clock for how long it listened in vain',
    edit('core/journal/moves.ts', 'said.status !== undefined && heardMs', 'heardMs'),
  ),
  // Too rare: a process sleeps between its look at its intent and its reservation, until the intent is in a sum. Tests of
  // budgets hold on to it (test/unit/journal/budget-sums.test.ts).
  'reserve-beside-sum': mutant(
    'mixed',
    'reserves anew for an intent that is in a sum already',
    edit(BUDGETS, 'if (mayBeInSum && (await isDone(intent)))', 'if (mayBeInSum && intent === undefined)'),
  ),
  // Whichever of the machine's clocks is set or stands still, the slower of the two is gone by.
  'old-measurement-order': mutant(
    'convert',
    'goes by the service time as it was measured before the doubt',
    edit(ORDER, LOOK_FOR_ORDER, LOOK_FOR_ORDER.replace('clock.measure()', 'clock.ensure(36_000_000)')),
  ),
  // A crash meanwhile leaves it in doubt, and whoever enters it again finds what was claimed.
  'looks-before-done': mutant(
    'mixed',
    'looks at what was accepted for some seconds, and writes down only then that it is DONE',
    edit(
      VERDICTS,
      'return report(await ports.journal.advance(intent, doneMove(intent, movementId)), ports)',
      `const said = await report({ ...intent, state: 'DONE', ref: movementId } as never, ports)
    await ports.journal.advance(intent, doneMove(intent, movementId))
    return said`,
    ),
  ),
  // Nobody else can claim an order: its id was known to one intent alone before it was sent.
  'claim-unheard-order': mutant(
    'mixed',
    'claims an order, and does not hear that it is claimed by another',
    edit(
      VERDICTS,
      HOLDER,
      `${HOLDER.replace('const holder', 'const heard')}
    const holder = intent.kind === 'convert' ? undefined : heard`,
    ),
  ),
  // Whoever held the lane before has claimed its row before it lets the lane go.
  'rows-before-lane': mutant(
    'withdraw',
    'lists the rows while it waits for the lane, before the lane is its own',
    edit(WITHDRAW, ROWS_BEFORE_ARM, ''),
    edit(WITHDRAW, TAKE_LANE, `${ROWS_BEFORE_ARM}\n  ${TAKE_LANE}`),
  ),
  // Several rows are there only where others write, and there nothing is adopted by matching alone.
  'newest-of-several': mutant(
    'withdraw',
    'adopts the newest of several rows that match',
    edit(WITHDRAW, IS_ONE, 'only !== undefined && matches.near.length === 0'),
  ),
  // No row ever leaves a list here: as many different ones as it counts are all of them.
  'page-1-once': mutant(
    'withdraw',
    'does not read the first page once more',
    edit(PAGES, '(await isFirstPageKnown(found, totalItems, keyOf, readPage))', 'true'),
  ),
  // An accepted row shows within the configured time, so that it is found by the fence.
  'unread-yes-is-no-yes': mutant(
    'withdraw',
    'forgets that a 201 was heard whose row could not be read',
    edit(WITHDRAW, 'if (attempt.accepted) {', 'if (attempt.accepted === null) {'),
  ),
  // Others' rows are never adopted by matching alone, and one's own is one's own on whatever network it is told.
  'any-network': mutant(
    'withdraw',
    'does not look at the network of a row',
    edit(
      MATCH,
      'subTypes.includes(row.subType) && row.networkId === networkId',
      'subTypes.includes(row.subType) && networkId !== 0 as never',
    ),
  ),
  // Caught, but once in 1,500 schedules: the key must change between two statements, to one whose account is known.
  'account-of-next-key': mutant(
    'mixed',
    'asks for the account of the key in use, though another one has signed',
    edit(
      OWN_KEY,
      "if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while a request",
      "if (kid === undefined) throw new Transient('the key was replaced while a request",
    ),
  ),
  // Caught too rarely: an order must be settled between two reads of another's, and its own floor be short by just that.
  'floor-balance-first': mutant(
    'convert',
    'reads the balance, and then who is on the way: one that ends in between is in neither',
    edit(
      FLOORS,
      'const known = await store.read(pk)',
      'const there = await spendable(floor.assetSymbol, service)\n        const known = await store.read(pk)',
    ),
    edit(FLOORS, 'minus(await spendable(floor.assetSymbol, service), amount)', 'minus(there, amount)'),
  ),
}
