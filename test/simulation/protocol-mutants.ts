// Variants of the protocol that a clever colleague would try: each leaves out, or does the other way round,
// something that looks as if it were not needed. Which are caught is for the simulation to say.
import { edit, type Mutant, mutant } from './mutant.ts'

const ORDER = 'functions/order/order.ts'
const WITHDRAW = 'functions/withdraw/withdraw.ts'
const JOURNAL = 'functions/shared/journal/journal.ts'
const LANES = 'functions/shared/journal/lanes.ts'
const MATCH = 'functions/shared/withdrawal/match.ts'
const FENCE_CHECK = 'if (reachedMs <= fenceMs) return'
const FREE_LANES = 'new Set([IntentState.Done, IntentState.Rejected, IntentState.Exhausted])'
const LOOK_AT_TIME = `    await service.clock.measure()
    reachedMs = service.clock.reachedMs()
`
const LOOK_AT_ROWS = `    rows = await service.listWithdrawals({ assetSymbol: intent.frozen.assetSymbol }, ROWS_LIMIT)
`
const KEY_AT_FAULT = `if (answer.said.keyAtFault) sender.forgetKeys()
`
const HOLDER_OF_ROW = 'const holder = await ports.journal.claim(withdrawalId, intent.intentId)'
const HOLDER_OF_ORDER = 'const holder = await ports.journal.claim(orderId, intent.intentId)'
const ROWS_BEFORE_ARM = 'const rows = await service.listWithdrawals({ assetSymbol }, ROWS_LIMIT)'
const TAKE_LANE = 'const holder = await lanes.take(account, assetSymbol, intent.intentId)'

export const PROTOCOL_MUTANTS: Readonly<Record<string, Mutant>> = {
  'rows-then-time': mutant(
    'withdraw',
    'looks at the rows, and then at the time that makes their absence a proof',
    edit(WITHDRAW, LOOK_AT_TIME + LOOK_AT_ROWS, LOOK_AT_ROWS + LOOK_AT_TIME),
  ),
  'lane-taken-by-both': mutant(
    'withdraw',
    'takes a free lane that another intent has taken meanwhile',
    edit(LANES, "if ((await store.replace(taken, lane.version)) === 'written') return undefined", ''),
    edit(
      LANES,
      `const taken = { pk, version: lane.version + 1, stamp: newId(), holder: intentId }`,
      `await store.replace({ pk, version: lane.version + 1, stamp: newId(), holder: intentId }, lane.version)
    if (holder !== intentId) return undefined`,
    ),
  ),
  'near-is-none': mutant(
    'withdraw',
    'takes a row that is only like ours for none of ours',
    edit(WITHDRAW, 'if (only || matches.near.length > 0) return escalate', 'if (only) return escalate'),
  ),
  'no-slack-for-times': mutant(
    'withdraw',
    'takes a row dated before its send for an old one, however a service dates its rows',
    edit('functions/shared/withdrawal/known-rows.ts', 'const SLACK_MS = 24 * 3_600_000', 'const SLACK_MS = 0'),
  ),
  'rejected-keeps-lane': mutant(
    'withdraw',
    'keeps the lane of a withdrawal that was rejected',
    edit(LANES, FREE_LANES, 'new Set([IntentState.Done, IntentState.Exhausted])'),
  ),
  'claim-unheard-withdrawal': mutant(
    'withdraw',
    'claims a row, and does not hear that it is claimed by another',
    edit(
      WITHDRAW,
      HOLDER_OF_ROW,
      `const holder = (await ports.journal.claim(withdrawalId, intent.intentId)) && undefined`,
    ),
  ),
  'any-attempts-quote': mutant(
    'convert',
    'executes a quote that was asked for an earlier attempt',
    edit(ORDER, 'if (!input.quote || input.attempt !== intent.attemptNumber)', 'if (!input.quote)'),
  ),
  'rows-of-first-attempt': mutant(
    'withdraw',
    'remembers the rows of before the first attempt, and of no later one',
    edit(WITHDRAW, ROWS_BEFORE_ARM, `${ROWS_BEFORE_ARM.replace('await', 'intent.attempt ? [] : await')}`),
  ),
  'done-then-claim': mutant(
    'withdraw',
    'writes DONE, and claims the row after that',
    edit(
      WITHDRAW,
      HOLDER_OF_ROW,
      `if (withdrawalId !== '') {
    const done = await ports.journal.advance(intent, doneMove(intent, withdrawalId))
    await ports.journal.claim(withdrawalId, intent.intentId)
    return reportWithdrawal(done, ports.service)
  }
  ${HOLDER_OF_ROW}`,
    ),
  ),
  'old-measurement-order': mutant(
    'convert',
    'goes by the service time as it was measured before the doubt',
    edit(ORDER, LOOK_AT_TIME, LOOK_AT_TIME.replace('clock.measure()', 'clock.ensure(3_600_000)')),
  ),
  'estimate-is-reached': mutant(
    'convert',
    'takes its best estimate of service time for a time that has been reached',
    edit(ORDER, LOOK_AT_TIME, LOOK_AT_TIME.replace('reachedMs()', 'nowMs()')),
  ),
  'fence-from-iat': mutant(
    'withdraw',
    'counts the fence from the signature of a token',
    edit(
      'functions/shared/journal/fence.ts',
      'return (attempt.exp + timing.leewaySeconds + timing.visibilitySeconds) * 1000',
      'return ((attempt as SendFacts).iat + timing.leewaySeconds + timing.visibilitySeconds) * 1000',
    ),
  ),
  'stale-move-again': mutant(
    'convert',
    'makes a move again on the version that another execution has written meanwhile',
    edit(
      JOURNAL,
      "if (outcome === 'written') return moved\n",
      `if (outcome === 'written') return moved
      const latest = await find<Kind>(intent.intentId)
      if (latest !== undefined && latest.state === intent.state) {
        const again: Kind = { ...latest, ...move, version: latest.version + 1 }
        if ((await store.replace(recordOfIntent(again, newId()), latest.version)) === 'written') return again
      }
`,
    ),
  ),
  'escalated-frees-lane': mutant(
    'withdraw',
    'takes the lane of a withdrawal that waits for a person',
    edit(LANES, FREE_LANES, FREE_LANES.replace('])', ', IntentState.Escalated])')),
  ),
  'ready-frees-lane': mutant(
    'withdraw',
    'takes the lane of a withdrawal that has sent nothing yet',
    edit(LANES, FREE_LANES, FREE_LANES.replace('])', ', IntentState.Ready])')),
  ),
  'unread-is-empty': mutant(
    'withdraw',
    'takes a list that cannot be read for an empty one',
    edit(WITHDRAW, LOOK_AT_ROWS, `${LOOK_AT_ROWS.trimEnd()}.catch(() => [])\n`),
  ),
  'unheard-is-unsent': mutant(
    'withdraw',
    'concludes that what nothing was heard of was not sent',
    edit(
      'functions/conclude/conclude.ts',
      'return conclusion.inDoubt(intent, why)',
      `if (intent.attempt?.said !== undefined) return conclusion.inDoubt(intent, why)
      return conclusion.ended(await journal.advance(intent, zeroMove(intent, IntentState.Exhausted, conclusion.failed, why)))`,
    ),
  ),
  'late-doubt-is-over': mutant(
    'withdraw',
    'ends a doubt when the time of its intent is over',
    edit(WITHDRAW, FENCE_CHECK, 'if (reachedMs <= fenceMs && reachedMs < Date.parse(intent.notAfter)) return'),
  ),
  'patience-is-a-fence': mutant(
    'convert',
    'takes two waits for the fence',
    edit(ORDER, FENCE_CHECK, 'if (reachedMs <= fenceMs && waits < 2) return'),
  ),
  'escalated-counts-no-more': mutant(
    'mixed',
    'gives back what was reserved for an intent that waits for a person',
    edit(
      'functions/shared/journal/budgets.ts',
      'if (state !== IntentState.Rejected',
      'if (state !== IntentState.Escalated && state !== IntentState.Rejected',
    ),
  ),
  'failed-has-come-back': mutant(
    'withdraw',
    'says that a failed withdrawal has come back without a look at the ledger',
    edit('functions/shared/withdrawal/report.ts', 'if (await service.isRefunded(row))', 'if (service && row)'),
  ),
  'refusal-outweighs-order': mutant(
    'convert',
    'believes a refusal more than the order that it finds',
    edit(ORDER, 'if (found) return settle', 'if (found && !said?.business) return settle'),
  ),
  'sign-again-with-new-key': mutant(
    'convert',
    'signs and sends again at once when the key was refused, as nothing can have moved',
    edit(
      ORDER,
      `if (answer.kind === 'accepted') return settle(armed, ports)
  ${KEY_AT_FAULT}`,
      `${KEY_AT_FAULT.replace('answer.said.keyAtFault', "answer.kind !== 'accepted' && answer.said.keyAtFault")}
  const again = answer.kind !== 'accepted' && answer.said.keyAtFault
    ? await (await sender.prepareOrder(terms.orderId, timing.tokenLifeSeconds)).send()
    : answer
  if (again.kind === 'accepted' || answer.kind === 'accepted') return settle(armed, ports)
`,
    ),
  ),
  'dead-quote-is-zero': mutant(
    'convert',
    'takes the end of a quote for the end of the doubt',
    edit(
      ORDER,
      FENCE_CHECK,
      "if (reachedMs <= Date.parse(attemptOf(intent).quoteExpiresAt ?? '2100-01-01T00:00:00Z')) return",
    ),
  ),
}

/**
 * Variants that break nothing in any world within the assumptions, as another rule stands in for what they leave
 * out: shown so that nobody takes them for caught. Tests of single steps hold on to what they leave out.
 */
export const HARMLESS: Readonly<Record<string, Mutant>> = {
  // Nobody else can claim an order: its id was known to one intent alone before it was sent.
  'claim-unheard-order': mutant(
    'mixed',
    'claims an order, and does not hear that it is claimed by another',
    edit(ORDER, HOLDER_OF_ORDER, 'const holder = (await ports.journal.claim(orderId, intent.intentId)) && undefined'),
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
    edit(
      WITHDRAW,
      'if (only && others.length === 0 && matches.near.length === 0',
      'if (only && matches.near.length === 0',
    ),
  ),
  // Rows that come in at the head of a list are told twice, and none is left out.
  'moving-list-is-enough': mutant(
    'withdraw',
    'takes what it has of a list that changed meanwhile',
    edit('functions/shared/service/pages.ts', 'if (pagination.totalItems !== totalItems) return undefined', ''),
    edit('functions/shared/service/pages.ts', 'return items.length === totalItems ? items : undefined', 'return items'),
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
}
