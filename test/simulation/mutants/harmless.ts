// Variants that behave no worse than the product in any world of ours.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import {
  BUDGETS,
  CONCLUDE,
  FLOORS,
  HOLDER,
  IS_ONE,
  LANES,
  LOOK_FOR_ORDER,
  MATCH,
  ORDER,
  OWN_KEY,
  PAGES,
  RESERVATIONS,
  ROWS_BEFORE_ARM,
  TAKE_LANE,
  VERDICTS,
  WITHDRAW,
} from './texts.ts'

/**
 * These variants break nothing within the assumptions, because another rule replaces what they leave out, or they break
 * too rarely. They are listed so that nobody counts them as caught. Tests of single steps cover what they leave out.
 */
export const HARMLESS: Readonly<Record<string, SimulatedMutant>> = {
  // Its own row is then only similar, so a person is asked and nothing is sent again.
  'match-amount-under-deduct': mutant(
    'withdraw',
    'looks for the amount that was asked for among amounts without the fee',
    edit(
      MATCH,
      "isSameAmount(feeMode === 'deduct' ? row.total : row.amount, amount)",
      'isSameAmount(row.amount, amount)',
    ),
  ),
  // Two runs that find no intent both open it, and the second gets the record of the first. Order reads guards and prices
  // itself, so only the time until which it may be sent could be another's. Tests of terms cover it.
  'terms-of-a-quicker-run': amid(
    ['insiders', 'twins'],
    mutant(
      'convert',
      'continues with the terms of another run that opened its intent first',
      edit(
        'core/journal/terms.ts',
        'opened.state === IntentState.Ready && !isAsSettled',
        "opened.intentId === '' && !isAsSettled",
      ),
    ),
  ),
  // Too rare: a clock must go back while nobody answers, and the service must work on the request for the longest
  // promised time.
  'listened-by-the-own-clock': mutant(
    'convert',
    'writes down by its own clock for how long it listened in vain',
    edit('core/journal/moves.ts', 'answer.status !== undefined && heardMs', 'heardMs'),
  ),
  // Too rare: a process must sleep between its read of the intent and its reservation, until the intent is in a sum.
  // Tests of budgets cover it (test/unit/journal/budget-sums.test.ts).
  'reserve-beside-sum': mutant(
    'mixed',
    'reserves anew for an intent that is in a sum already',
    edit(BUDGETS, 'if (mayBeInSum && (await isDone(intent)))', 'if (mayBeInSum && intent === undefined)'),
  ),
  // Too rare, for the same reason: the process must sleep between two tries. The same tests cover it.
  'asks-once-for-its-sum': amid(
    ['sums', 'twins'],
    mutant(
      'mixed',
      'asks at its first try alone whether its intent is in a sum already',
      edit(
        BUDGETS,
        'own === undefined && sums !== tries.askedAtSums',
        'own === undefined && sums !== "" && tries.isFirst',
      ),
    ),
  ),
  // Too rare: two processes of an intent must have different clocks, and the process with the longer reservation must
  // arm last.
  'reservation-ends-sooner': mutant(
    'convert',
    'lets a reservation that it raises end sooner than it did',
    edit(RESERVATIONS, 'Math.max(wanted.untilMs, own?.untilMs ?? 0)', 'wanted.untilMs'),
  ),
  // Caught about once in 3,500 schedules: the fee of an approved withdrawal must rise while it holds a lane that
  // another waits for.
  'waits-with-the-lane': amid(
    ['fees'],
    mutant(
      'withdraw',
      'lets nobody pass a withdrawal that has the lane and waits for people',
      edit(
        WITHDRAW,
        'await readGuards(holder, ports), ports.guard)) !== undefined',
        'await readGuards(holder, ports), ports.guard)) === null',
      ),
    ),
  ),
  // Too rare: a fee must rise across a rule's value, or two steps of one intent must meet a third. Unit tests cover
  // both (test/unit/runs/movement-approval.test.ts, test/unit/journal/shared-records.test.ts).
  'people-are-asked-of-the-old-fee': amid(
    ['fees'],
    mutant(
      'withdraw',
      'asks people by the fee of the terms, and sends at a dearer one that is above the rule',
      edit('core/guards/approval-rules.ts', 'greatest(movement.most ?? amount, amount)', 'movement.most ?? amount'),
    ),
  ),
  'overtaken-may-arm': amid(
    ['fees'],
    mutant(
      'withdraw',
      'passes the holder of a lane, and does not keep it from arming',
      edit('core/journal/lanes.ts', '    await journal.advance(held, {})\n', ''),
    ),
  ),
  // Caught once in 3,500 schedules: the list must lack rows at the moment when a withdrawal takes the lane of one that
  // has sent nothing.
  'idle-lane-forgets-sender': mutant(
    'withdraw',
    'does not ask who has sent before a holder of the lane that has sent nothing',
    edit(
      LANES,
      'const remembered = await findSender(lane && checkRecord(laneFields, lane).before)',
      'const remembered = await findSender(undefined)',
    ),
  ),
  // A list of seen rows that is lost is as if it were never made. Rows are missing only if the journal knows one of
  // them. Tests of the step cover it (test/unit/movements/withdrawal).
  'seen-unwritten': mutant(
    'withdraw',
    'does not write down the rows that an early look has taken for perhaps its own',
    edit(WITHDRAW, 'uncertain(await noteSeen(intent, matches, ports), {', 'uncertain(intent, {'),
  ),
  // The service refuses a dead quote, which costs one attempt.
  'quote-without-margin': mutant(
    'convert',
    'sends a quote however old it is',
    edit(ORDER, '- nowMs < ports.timing.quoteMarginMs', '- nowMs < Number.NEGATIVE_INFINITY'),
  ),
  // At the fence itself every accepted movement already shows, because the fence is the last promised moment.
  'at-the-fence': mutant(
    'withdraw',
    'treats the fence itself as passed',
    edit(WITHDRAW, 'if (reachedMs <= fenceMs) return', 'if (reachedMs < fenceMs) return'),
  ),
  // The step that sends checks the time too, so the only cost is another quote.
  'quote-without-time': mutant(
    'convert',
    'asks for a quote whose intent has no time left',
    edit('functions/quote/quote.ts', '>= Date.parse(intent.notAfter)) {', '>= Number.POSITIVE_INFINITY) {'),
  ),
  // The service refuses a quote of another account.
  'quote-of-unknown-key': mutant(
    'convert',
    'does not ask whether the key was replaced while it asked for a quote',
    edit('functions/quote/quote.ts', 'await assertKeyKept(key.kid, ports.service)', 'void assertKeyKept'),
  ),
  // Too rare: the key must be replaced between a quote and its order. Tests of the step cover it
  // (test/unit/order/order-keys.test.ts).
  'quote-of-the-other-stage': mutant(
    'convert',
    'sends a quote that a key of the other stage has asked for',
    edit(ORDER, '(stageOf(terms.kid) === stageOf(kid) && account', '(stageOf(terms.kid) !== undefined && account'),
  ),
  // This variant refuses more than it must, because an intent's own reservation counts against its own movement.
  'counts-itself-twice': mutant(
    'mixed',
    'counts what it has reserved itself as if others had',
    edit(RESERVATIONS, 'if (holder === leftOut || (afterMs', 'if ((afterMs'),
  ),
  // If one of the machine's clocks changes or stands still, the slower of the two is used.
  'old-measurement-order': mutant(
    'convert',
    'goes by the service time as it was measured before the doubt',
    edit(ORDER, LOOK_FOR_ORDER, LOOK_FOR_ORDER.replace('clock.measure()', 'clock.ensure(36_000_000)')),
  ),
  // A crash in this time leaves the intent in doubt, and the next entry finds the claimed movement.
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
  // Nobody else can claim an order: only one intent knew its id before the send.
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
  // The earlier holder of the lane has claimed its row before it releases the lane.
  'rows-before-lane': mutant(
    'withdraw',
    'lists the rows while it waits for the lane, before the lane is its own',
    edit(WITHDRAW, ROWS_BEFORE_ARM, ''),
    edit(WITHDRAW, TAKE_LANE, `${ROWS_BEFORE_ARM}\n  ${TAKE_LANE}`),
  ),
  // Several rows exist only where others write, and there a match alone adopts nothing.
  'newest-of-several': mutant(
    'withdraw',
    'adopts the newest of several rows that match',
    edit(WITHDRAW, IS_ONE, 'only !== undefined && matches.near.length === 0'),
  ),
  // Here no row ever leaves a list, so as many different rows as the list counts are all of them.
  'page-1-once': mutant(
    'withdraw',
    'does not read the first page once more',
    edit(PAGES, '(await isFirstPageKnown(found, totalItems, keyOf, readPage))', 'true'),
  ),
  // An accepted row shows within the configured time, so the fence finds it.
  'unread-yes-is-no-yes': mutant(
    'withdraw',
    'forgets that a 201 was heard whose row could not be read',
    edit(WITHDRAW, 'if (attempt.accepted) {', 'if (attempt.accepted === null) {'),
  ),
  // A match alone never adopts a row of others, and our own row stays ours under any network.
  'any-network': mutant(
    'withdraw',
    'does not look at the network of a row',
    edit(
      MATCH,
      'subTypes.includes(row.subType) && row.networkId === networkId',
      'subTypes.includes(row.subType) && networkId !== 0 as never',
    ),
  ),
  // Caught once in 1,500 schedules: the key must change between two statements, to a key whose account is known.
  'account-of-next-key': mutant(
    'mixed',
    'asks for the account of the key in use, though another one has signed',
    edit(
      OWN_KEY,
      "if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while a request",
      "if (kid === undefined) throw new Transient('the key was replaced while a request",
    ),
  ),
  // Rare since lists are compared with the known rows. A test of the step covers it (withdraw-keys.test.ts).
  'key-from-signing-on': mutant(
    'mixed',
    'asks for the key in use only after it has listed the rows that were there before',
    edit(WITHDRAW, 'const kid = await service.keyInUse()', "let kid = ''"),
    edit(WITHDRAW, 'if (prepared.facts.kid !== kid) throw', 'kid = prepared.facts.kid\n  if (!kid) throw'),
  ),
  // Too rare: a key of another account must arrive between signature and read, and an order of that account with our id
  // must be filled. Tests of floors cover it (test/unit/journal/floors.test.ts).
  'floor-orders-of-any-key': mutant(
    'mixed',
    'takes an order out of the list by what a key of another account sees',
    edit(FLOORS, 'return attempt === undefined ? look()', 'return attempt !== null ? look()'),
  ),
  // Caught too rarely: an order must settle between two reads of another one, and the other's floor must lack exactly
  // that amount.
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
  // Too rare: a write must restore the record between two steps of a refused run. A test of Conclude covers it.
  'closes-what-a-write-restored': mutant(
    'convert',
    'closes an intent for the sake of another request, which is no longer in its record',
    edit(CONCLUDE, 'if (isMended || isOfOthers)', 'if (isMended)'),
  ),
}
