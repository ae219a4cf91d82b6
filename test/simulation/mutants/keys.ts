// Lists naive variants of which key sends and reads, and of which account a journal belongs to.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { CONCLUDE, KNOWN_ROWS, ORDER, OWN_KEY, PAST_FENCE, WITHDRAW } from './texts.ts'

/** Removes the comparison of a list with the rows of others in the lane. */
const UNCOMPARED_LIST = edit(WITHDRAW, PAST_FENCE, 'if (reachedMs === timing.attempts)\n')
const ANY_KEY_LOOKS = edit(
  OWN_KEY,
  'if (kid !== signer.kid) await assertSameAccount(signer, kid, service, isVouchedFor)',
  'if (kid !== signer.kid) void assertSameAccount',
)

export const KEY_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'any-key-looks-order': mutant('convert', 'looks for an order with any key', ANY_KEY_LOOKS),
  'any-key-looks-withdrawal': mutant('withdraw', 'looks for the row of a withdrawal with any key', ANY_KEY_LOOKS),
  'key-keeps-order-that-moved': mutant(
    'convert',
    'fails for its key when the order is known to have moved',
    edit(ORDER, 'report: reportSentOrder,', 'report: (done, ports) => reportPolledOrder(done, 0, ports),'),
    edit(ORDER, 'import { reportSentOrder }', 'import { reportPolledOrder, reportSentOrder }'),
  ),
  'key-keeps-withdrawal-that-moved': mutant(
    'withdraw',
    'fails for its key when the withdrawal is known to have moved',
    edit(WITHDRAW, 'report: reportSentWithdrawal,', 'report: (done, ports) => reportPolledWithdrawal(done, 0, ports),'),
    edit(WITHDRAW, 'import { reportSentWithdrawal }', 'import { reportSentWithdrawal, reportPolledWithdrawal }'),
  ),
  'own-key-looks-for-unknown': amid(
    ['keys', 'slow'],
    mutant(
      'convert',
      "looks with a key of the intent's account for a request that a key of an unknown account has sent",
      edit(
        ORDER,
        'readWithOwnKey({ account, kid }',
        'readWithOwnKey({ account: account ?? intent.frozen.account, kid }',
      ),
    ),
  ),
  'keys-change-in-a-look': amid(
    ['keys', 'faults', 'past'],
    mutant(
      'withdraw',
      'does not ask whether the key was replaced while it looked, and believes a list that lacks known rows',
      edit(KNOWN_ROWS, 'return [...known, ...seen]', 'return []'),
      UNCOMPARED_LIST,
      edit(
        OWN_KEY,
        'const seen = await look()\n  if ((await service.keyInUse()) !== kid) throw',
        'const seen = await look()\n  if (seen === null) throw',
      ),
    ),
  ),
  'quote-of-any-key': mutant(
    'convert',
    'sends a quote that a key of another account has asked for',
    edit(ORDER, 'if (isOfOneAccount) return', "if (terms.kid !== '') return"),
  ),
  'any-key-sends-order': mutant(
    'convert',
    'sends an order with a key of another account',
    edit(ORDER, 'accountOfSigner(intent.frozen, ', 'accountOfSigner({}, '),
  ),
  'any-key-sends-withdrawal': amid(
    ['keys'],
    mutant(
      'mixed',
      'sends a withdrawal with a key of another account',
      edit(WITHDRAW, 'accountOfSigner(intent.frozen, ', 'accountOfSigner({}, '),
    ),
  ),
  'stage-ignored': amid(
    ['keys'],
    mutant(
      'mixed',
      'sends with a key of the other stage, whose account has the same id',
      edit(OWN_KEY, 'if (stage !== undefined && stageOf(kid) !== stage)', "if (stage === '')"),
    ),
  ),
  // A key of another account takes effect right before the balance is read, and the request signed before is still
  // sent.
  'balance-of-any-key-order': amid(
    ['balances'],
    mutant(
      'convert',
      'holds the floor of an order against the balance of another account',
      edit(ORDER, 'if ((await service.keyInUse()) !== prepared.facts.kid)', "if (prepared.facts.kid === '')"),
    ),
  ),
  'balance-of-any-key-withdrawal': amid(
    ['balances'],
    mutant(
      'withdraw',
      'holds the floor of a withdrawal against the balance of another account',
      edit(WITHDRAW, 'await assertKeyKept(kid, service)', 'void assertKeyKept'),
    ),
  ),
  'account-not-pinned': mutant(
    'mixed',
    'goes by the account of whatever key an intent is opened with',
    edit(
      'core/journal/pinned-account.ts',
      'memory.pinned ??= await findPin(store)',
      'if (store !== undefined) return account\n      memory.pinned ??= await findPin(store)',
    ),
  ),
  'lacking-permission-ends': amid(
    ['permissions'],
    mutant(
      'mixed',
      'ends an intent for good because a step may not use the journal for a while',
      edit(CONCLUDE, 'isMendable(input.fault)', "input.fault.Error === 'KeyFault'"),
    ),
  ),
  'denied-write-settled-unread': amid(
    ['permissions'],
    mutant(
      'withdraw',
      'takes a write that was denied for one that was made, without reading it back',
      edit(
        'core/journal/record-store.ts',
        "if (failure === undefined) return 'written'",
        "if (failure === undefined || errorName(failure) === 'AccessDeniedException') return 'written'",
      ),
    ),
  ),
}
