// Lists naive variants of how a withdrawal finds its row: lists, earlier rows, and similar rows.
import { amid, edit, mutant, type SimulatedMutant } from '../mutant.ts'
import { EXAMINE, KNOWN_ROWS, MATCH, MISSING_BEFORE, OTHER_WRITERS, PAGES, ROWS_BEFORE_ARM, WITHDRAW } from './texts.ts'

const FRESH = 'rows.filter((row) => !known.has(row.id) && !(Date.parse(row.createdAt) < sinceMs))'
const REMEMBERED = '[...recent, ...youngest(rows.filter(isOlder))]'
const WRITTEN_BY_OTHERS = '(await isWrittenByOthers(listed, attempt, candidate, journal))'

export const ROW_MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  'near-is-none': mutant(
    'withdraw',
    'treats a row that is only similar to ours as a foreign row',
    edit(WITHDRAW, 'if (only || matches.near.length > 0) return escalate', 'if (only) return escalate'),
  ),
  'first-match': mutant(
    'withdraw',
    'adopts the first row that matches, whoever else writes to the account',
    edit(WITHDRAW, 'if (isOne && writers === undefined && lost === undefined) return', 'if (only) return'),
  ),
  'adopts-beside-unknown-rows': amid(
    ['writers'],
    mutant(
      'withdraw',
      'adopts a row that matches, though a recent one shows that others write to the account',
      edit(OTHER_WRITERS, WRITTEN_BY_OTHERS, 'isWrittenByOthers === undefined'),
    ),
  ),
  'adopts-rows-dated-before': amid(
    ['unseen'],
    mutant(
      'withdraw',
      'adopts a row that matches though it is dated long before the send',
      edit(OTHER_WRITERS, 'if (isDatedBefore(candidate, attempt)) return DATED_BEFORE\n', 'void isDatedBefore\n'),
    ),
  ),
  'alone-by-default': amid(
    ['strangers'],
    mutant(
      'withdraw',
      'adopts a row that matches where the configuration does not say whether others write to the account',
      edit(OTHER_WRITERS, 'if (shared !== false) return', 'if (shared === true) return'),
    ),
  ),
  'any-row-of-a-yes': mutant(
    'withdraw',
    'believes a 201 whatever row it names',
    edit(WITHDRAW, 'if (isAsRequested && isNew) return', 'if (row !== undefined) return'),
  ),
  'yes-after-an-empty-list': amid(
    ['misnamed', 'unseen'],
    mutant(
      'withdraw',
      'believes a 201 that names an earlier row, where the list before the send was empty',
      edit(WITHDRAW, 'if (isAsRequested && isNew) return', 'if (isAsRequested) return'),
    ),
  ),
  'page-1-only': mutant(
    'withdraw',
    'reads the first page of the withdrawals',
    edit(
      PAGES,
      'for (const item of data) found.set(keyOf(item), item)\n',
      'for (const item of data) found.set(keyOf(item), item)\n      return [...found.values()]\n',
    ),
  ),
  'whole-by-count': amid(
    ['order'],
    mutant(
      'mixed',
      'takes a list for complete that has shown as many rows as it counts, some of them twice',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a text of the product
      edit(PAGES, 'found.set(keyOf(item), item)', 'found.set(`${keyOf(item)} as number ${found.size}`, item)'),
      edit(
        PAGES,
        'if (pages <= 1 || (await isFirstPageKnown(found, totalItems, keyOf, readPage))) return',
        'if (true) return',
      ),
    ),
  ),
  'rows-by-their-spelling': amid(
    ['assets'],
    mutant(
      'withdraw',
      'leaves out the rows that name their asset in another spelling, or another asset',
      edit(MATCH, FRESH, `${FRESH.slice(0, -1)} && [null, frozen.assetSymbol].includes(row.assetSymbol))`),
    ),
  ),
  'rows-without-an-asset': amid(
    ['assets'],
    mutant(
      'withdraw',
      'leaves out the rows that do not name their asset',
      edit(MATCH, FRESH, `${FRESH.slice(0, -1)} && row.assetSymbol !== null)`),
    ),
  ),
  'lists-without-known-rows': amid(
    ['lists', 'past'],
    mutant(
      'withdraw',
      'believes a list after the send though it lacks a row that was there before it',
      edit(KNOWN_ROWS, 'return [...known, ...seen]', 'return seen'),
    ),
  ),
  'forgets-older-rows': amid(
    ['lists', 'past', 'lanes'],
    mutant(
      'withdraw',
      'remembers only the rows of the two days before, so that an empty list lacks none where the last is older',
      edit(KNOWN_ROWS, REMEMBERED, 'recent'),
    ),
  ),
  'reaches-back-four-days': amid(
    ['lists', 'past', 'lanes'],
    mutant(
      'withdraw',
      'asks for no row that is older than four days, so that an empty list lacks none where the last is older',
      edit(KNOWN_ROWS, 'usual.length > 0 ? sinceMs : Math.min(sinceMs, youngestKnownMs(earlier))', 'sinceMs'),
    ),
  ),
  'lists-without-seen-rows': amid(
    ['lists', 'near'],
    mutant(
      'withdraw',
      'believes a list after the send though it lacks a row that an earlier look has taken for perhaps the own',
      edit(KNOWN_ROWS, 'return [...known, ...seen]', 'return known'),
    ),
  ),
  'none-by-a-list-that-lacks-rows': amid(
    ['lists', 'past', 'persons'],
    mutant(
      'withdraw',
      "accepts a person's decision that nothing moved, though the list lacks rows",
      edit(
        EXAMINE,
        'const list = listRowsAround(intent, timing, service)',
        'const list = service.listWithdrawals({ assetSymbol: intent.frozen.assetSymbol, startDate: attempt.since }, 10_000)',
      ),
    ),
  ),
  'lists-before-a-send': amid(
    ['lists', 'past', 'lanes', 'writers'],
    mutant(
      'withdraw',
      'sends although the list lacks rows that the previous withdrawal knew',
      edit(WITHDRAW, MISSING_BEFORE, 'if (missing === timing) return'),
    ),
  ),
  'ignore-known-rows': mutant(
    'withdraw',
    'adopts a row that was there before its send',
    edit(MATCH, '!known.has(row.id) && ', ''),
  ),
  'rows-of-first-attempt': amid(
    ['writers'],
    mutant(
      'withdraw',
      'remembers the rows from before the first attempt, and not those from before later attempts',
      edit(
        WITHDRAW,
        ROWS_BEFORE_ARM,
        `${ROWS_BEFORE_ARM}
  if (intent.attempt) Object.assign(rows, { known: { since: intent.attempt.since, known: [] } })`,
      ),
    ),
  ),
  'no-slack-for-times': mutant(
    'withdraw',
    'takes a row dated before its send for an old one, however a service dates its rows',
    edit(KNOWN_ROWS, 'const DATING_SLACK_MS = 48 * 3_600_000', 'const DATING_SLACK_MS = 0'),
  ),
  'remembers-no-day': mutant(
    'withdraw',
    'remembers only those rows of the day before that are dated to the moment of its look',
    edit(KNOWN_ROWS, REMEMBERED, 'rows.filter((row) => !(Date.parse(row.createdAt) < nowMs))'),
  ),
  'window-ends-at-exp': mutant(
    'withdraw',
    'looks for its row among those dated before its token ends',
    edit(KNOWN_ROWS, 'new Date(withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS)', 'new Date(attempt.exp * 1000)'),
  ),
  // The service dates rows in another zone's clock, so our own row may be dated hours after its fence.
  'window-ends-at-fence': amid(
    ['dates'],
    mutant(
      'withdraw',
      'looks for its row among those dated before its fence',
      edit(
        KNOWN_ROWS,
        'const endDate = new Date(withdrawalFenceMs(attempt, timing) + DATING_SLACK_MS)',
        'const endDate = new Date(withdrawalFenceMs(attempt, timing))',
      ),
    ),
  ),
  'default-asset-format': mutant(
    'withdraw',
    'reads the figures of a list in its default units',
    edit('core/service/representation.ts', "return view('base', shape, show)", "return view('rebased', shape, show)"),
    edit(
      'core/service/withdrawals.ts',
      'return { ...facts, assetSymbol, ...settled,',
      'return { assetSymbol, ...settled, ...facts,',
    ),
  ),
}
