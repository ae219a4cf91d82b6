// What `sluice init` has to know for a policy of each kind, and how each answer is read. An answer that does not fit
// the service's reference data is refused, with what would fit. Pure.
import { AMOUNT_PATTERN } from '../../core/contract/amount.ts'
import { policyName, sameCode } from '../../core/contract/fields.ts'
import { PolicyKind } from '../../core/contract/policies.ts'
import { formatDecimal, ONE_UNIT, parseDecimal, plus, ZERO } from '../../core/money/decimal.ts'
import { scheduleFaults } from '../../core/treasury/schedule-rules.ts'
import type { AnswerFlag } from './answers.ts'
import type { Reference } from './reference.ts'

/** Answers as texts, by the name of the flag. */
export type Answers = Readonly<Record<string, string>>

export interface Question {
  readonly flag: AnswerFlag
  /** For a person. */
  readonly asks: string
  readonly kinds: readonly PolicyKind[]
  /** The only right answers, where these are few. */
  readonly choices?: readonly string[]
  /** The answer where the person gives none. Absent where there has to be an answer. */
  readonly otherwise?: string
  /** The answer in the form that it is used in; throws NotAnAnswer. */
  read(text: string, reference: Reference): string
}

/** `message`: `expected …; got …`. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'
}

const { Rebalance, Fund, ConvertOnArrival, Sweep, ConvertAndWithdraw } = PolicyKind
const ALL = Object.values(PolicyKind)
const MODES = ['live', 'shadow']

/** In the order in which they are asked; the kind comes first, because the others depend on it. */
export const questions: readonly Question[] = [
  {
    flag: 'kind',
    asks: 'What should the first policy do?',
    kinds: ALL,
    choices: ALL,
    read: (text) => oneOf(text, ALL),
  },
  {
    flag: 'name',
    asks: 'What is it called?',
    kinds: ALL,
    otherwise: 'first',
    read: (text) => {
      if (policyName.safeParse(text).success) return text
      throw new NotAnAnswer('expected at most 48 lower-case letters, digits and dashes; got another')
    },
  },
  {
    flag: 'weights',
    asks: 'Which shares should the account hold, adding up to 1 (BTC=0.5,USDC=0.5)?',
    kinds: [Rebalance],
    read: readWeights,
  },
  asset('asset', 'Which asset is it about?', [Fund, ConvertOnArrival]),
  amount('at-least', 'How much of it should always be there?', [Fund]),
  assets('from', 'With which assets is it bought, in this order?', [Fund]),
  asset('sell', 'Which asset is converted?', [ConvertAndWithdraw]),
  asset('into', 'Into which asset?', [ConvertOnArrival, ConvertAndWithdraw]),
  assets('assets', 'Which assets are sent away?', [Sweep]),
  amount('keep', 'How much of each stays?', [Sweep, ConvertOnArrival, ConvertAndWithdraw], '0'),
  {
    flag: 'contact',
    asks: 'To which contact (its id, or its reference)?',
    kinds: [Sweep, ConvertAndWithdraw],
    read: (text, { contacts }) => {
      const found = contacts.filter(({ id, reference }) => id === text || reference === text)
      const [contact] = found
      if (contact !== undefined && found.length === 1) return contact.id
      const known = contacts.map(({ reference, id }) => reference ?? id).join(', ')
      const got = found.length > 1 ? 'a reference of several: give the id' : 'another'
      throw new NotAnAnswer(`expected a contact of the account (${known === '' ? 'it has none' : known}); got ${got}`)
    },
  },
  {
    flag: 'schedule',
    asks: 'When does it run (rate(1 day), cron(0 9 ? * MON-FRI *), or none)?',
    kinds: ALL,
    otherwise: 'none',
    read: readSchedule,
  },
  amount('approve-above', 'Above which value does a person approve (0: each run)?', ALL, '1000'),
  {
    flag: 'mode',
    asks: 'Does it move money (live), or only report what it would do (shadow)?',
    kinds: ALL,
    choices: MODES,
    otherwise: 'shadow',
    read: (text) => oneOf(text, MODES),
  },
]

function oneOf(text: string, words: readonly string[]): string {
  if (words.includes(text)) return text
  throw new NotAnAnswer(`expected ${words.join(', ')}; got another`)
}

function asset(flag: AnswerFlag, asks: string, kinds: readonly PolicyKind[]): Question {
  return { flag, asks, kinds, read: readAsset }
}

function assets(flag: AnswerFlag, asks: string, kinds: readonly PolicyKind[]): Question {
  const read = (text: string, reference: Reference) => {
    const codes = listed(text).map((code) => readAsset(code, reference))
    if (codes.length > 0) return codes.join(',')
    throw new NotAnAnswer('expected codes of assets with commas between them; got nothing')
  }
  return { flag, asks: `${asks} Codes with commas between them.`, kinds, read }
}

function amount(flag: AnswerFlag, asks: string, kinds: readonly PolicyKind[], otherwise?: string): Question {
  const read = (text: string) => {
    if (AMOUNT_PATTERN.test(text)) return text
    throw new NotAnAnswer('expected a plain decimal such as 12.5; got another')
  }
  return { flag, asks, kinds, read, ...(otherwise !== undefined && { otherwise }) }
}

/** The settled code, whichever spelling was given. */
function readAsset(text: string, reference: Reference): string {
  const found = reference.assets.find(
    ({ assetSymbol, rebasedSymbol }) => sameCode(assetSymbol, text) || sameCode(rebasedSymbol, text),
  )
  if (found !== undefined) return found.assetSymbol
  throw new NotAnAnswer('expected the code of an asset of the service (sluice assets lists them); got another')
}

function readWeights(text: string, reference: Reference): string {
  const parts = listed(text).map((part) => {
    const [code = '', share = ''] = part.split('=', 2)
    if (AMOUNT_PATTERN.test(share)) return `${readAsset(code, reference)}=${share}`
    throw new NotAnAnswer('expected CODE=SHARE with commas between them, such as BTC=0.5,USDC=0.5; got another')
  })
  const sum = parts.reduce((total, part) => plus(total, parseDecimal(part.split('=', 2)[1], 'share')), ZERO)
  if (sum === ONE_UNIT) return parts.join(',')
  throw new NotAnAnswer(`expected shares that add up to exactly 1; got ${formatDecimal(sum)}`)
}

/**
 * The schedule is checked here already, so that nobody answers all other questions in vain. The checks of the whole
 * file do it again.
 */
function readSchedule(text: string): string {
  if (text === 'none') return text
  if (!/^(rate|cron|at)\(.*\)$/.test(text)) {
    throw new NotAnAnswer('expected rate(…), cron(…) or at(…), such as "rate(1 day)", or none; got another')
  }
  const usual = { expression: text, timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 }
  const [fault] = scheduleFaults(usual, [])
  if (fault === undefined) return text
  throw new NotAnAnswer(fault.message)
}

export function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
