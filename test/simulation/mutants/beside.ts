// Lists naive variants of withdrawals side by side: which may share a lane, and whose rows are whose.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { BESIDE, LANES, MATCH, PAST_FENCE, WITHDRAW } from './texts.ts'

const APART = '!isCutOf(left, right) && !isCutOf(right, left)'

export const BESIDE_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'beside-whatever-the-amount': amid(
    ['beside'],
    mutant(
      'withdraw',
      'lets withdrawals of the same amount be in doubt side by side',
      edit(BESIDE, APART, 'left === left && right === right'),
    ),
  ),
  'beside-cut-amounts': amid(
    ['beside'],
    mutant(
      'withdraw',
      'lets withdrawals be in doubt side by side if their amounts differ, though one cut to a coarser increment is the other',
      edit(BESIDE, APART, 'left !== right'),
    ),
  ),
  'beside-the-other-fee-mode': amid(
    ['beside'],
    mutant(
      'withdraw',
      'lets withdrawals of different fee modes be in doubt side by side',
      edit(BESIDE, 'if (one.feeMode !== other.feeMode || ', 'if ('),
    ),
  ),
  'lane-forgets-who-is-beside': amid(
    ['beside'],
    mutant(
      'withdraw',
      'takes a place in the lane, and forgets who else has a place',
      edit(LANES, '[...[...kept, ...beside].map((held) => held.intentId), intentId]', '[intentId]'),
    ),
  ),
  'lane-asks-the-first-holder': amid(
    ['beside'],
    mutant(
      'withdraw',
      'compares its amount with that of one holder of the lane alone',
      edit(LANES, 'for (const held of open) {', 'for (const held of open.slice(0, 1)) {'),
    ),
  ),
  'explains-any-like-row': amid(
    ['beside'],
    mutant(
      'withdraw',
      'takes a row for that of another withdrawal in flight though it is only like what that one requested',
      edit(
        BESIDE,
        'matchRows(rows, other.attempt, other.frozen).exact',
        'Object.values(matchRows(rows, other.attempt, other.frozen)).flat()',
      ),
    ),
  ),
  'believes-lists-without-rows-of-others': amid(
    ['beside', 'lists'],
    mutant(
      'withdraw',
      'believes a list past the fence though it lacks a row that another withdrawal of the lane has made since',
      edit(WITHDRAW, PAST_FENCE, 'if (reachedMs === timing.attempts)\n'),
    ),
  ),
  'cut-rows-have-their-route': amid(
    ['beside', 'near'],
    mutant(
      'withdraw',
      'takes a cut row for its own only if it shows its network and sub-type',
      edit(MATCH, ' || hasCutAmount(row, frozen)', ''),
    ),
  ),
  'passes-a-holder-that-has-armed': amid(
    ['conflicts'],
    mutant(
      'withdraw',
      'passes a holder behind it in the lane, though that one has armed an attempt',
      edit(
        LANES,
        'if (!isWithdrawal(held) || held.state !== IntentState.Ready || held.attempt !== undefined) return false',
        'if (!isWithdrawal(held) || isTerminal(held.state)) return false',
      ),
    ),
  ),
  'rows-of-others-are-strangers': amid(
    ['beside'],
    mutant(
      'withdraw',
      'takes rows of other withdrawals in flight for those of others who write to the account',
      edit(WITHDRAW, '{ rows, theirs },', '{ rows, theirs: new Set<string>() },'),
    ),
  ),
  'rows-of-others-are-near': amid(
    ['beside'],
    mutant(
      'withdraw',
      'asks a person because of a row that another withdrawal in flight has made',
      edit(WITHDRAW, 'rows.filter(({ id }) => !theirs.has(id))', 'rows'),
    ),
  ),
}
