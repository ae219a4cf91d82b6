// Lists the questions of `sluice setup init` for a policy of each kind, and says how each answer is read. An answer
// that does not fit the service's reference data is refused, with what would fit. Pure.
import { AMOUNT_PATTERN } from '../../core/contract/amount.ts'
import { policyName, sameCode } from '../../core/contract/fields.ts'
import type { PolicyKind } from '../../core/contract/policies.ts'
import { formatDecimal, ONE_UNIT, parseDecimal, sumOf } from '../../core/money/decimal.ts'
import { type AnswerForm, listed, policyQuestions } from '../../core/policies/questions.ts'
import { offeredKinds, setups } from '../../core/policies/setups.ts'
import { scheduleFaults } from '../../core/treasury/schedule-rules.ts'
import type { AnswerFlag } from './answers.ts'
import type { Reference } from './reference.ts'

/** Answers as texts, by the name of the flag. */
export type Answers = Readonly<Record<string, string>>

export interface Question {
  readonly flag: AnswerFlag
  readonly asks: string
  readonly kinds: readonly PolicyKind[]
  /** All valid answers, if they are few. */
  readonly choices?: readonly string[]
  /** The default answer. Absent where an answer is required. */
  readonly otherwise?: string
  /** The answer in its final form; throws NotAnAnswer. */
  read(text: string, reference: Reference): string
}

/** `message`: `expected …; got …`. */
export class NotAnAnswer extends Error {
  override readonly name = 'NotAnAnswer'
}

const MODES = ['live', 'shadow']

const READERS: Readonly<Record<AnswerForm, Question['read']>> = {
  asset: readAsset,
  assets: readAssets,
  amount: readAmount,
  weights: readWeights,
  contact: readContact,
}

/** In the order in which they are asked. The kind comes first, because the others depend on it. */
export const questions: readonly Question[] = [
  {
    flag: 'kind',
    asks: 'What should the policy do?',
    kinds: offeredKinds,
    choices: offeredKinds,
    read: (text) => oneOf(text, offeredKinds),
  },
  {
    flag: 'name',
    asks: 'What is it called?',
    kinds: offeredKinds,
    otherwise: 'first',
    read: (text, { policies = [] }) => {
      if (policies.includes(text))
        throw new NotAnAnswer(`expected another name than ${policies.join(', ')}; got one of them`)
      if (policyName.safeParse(text).success) return text
      throw new NotAnAnswer('expected at most 48 lower-case letters, digits and dashes; got something else')
    },
  },
  ...policyQuestions.map(questionOf),
  {
    flag: 'schedule',
    asks: 'When does it run (rate(1 day), cron(0 9 ? * MON-FRI *), or none)?',
    kinds: offeredKinds.filter((kind) => !setups[kind].isByFile),
    otherwise: 'none',
    read: readSchedule,
  },
  {
    flag: 'approve-above',
    asks: 'Above which value does a person approve (0: each run)?',
    kinds: offeredKinds,
    otherwise: '1000',
    read: readAmount,
  },
  {
    flag: 'mode',
    asks: 'Does it move money (live), or only report what it would do (shadow)?',
    kinds: offeredKinds,
    choices: MODES,
    otherwise: 'shadow',
    read: (text) => oneOf(text, MODES),
  },
]

/** The answer of a person who types nothing. A file's own policies have taken their names. */
export function usualAnswer({ flag, otherwise }: Question, { policies = [] }: Reference): string | undefined {
  if (flag !== 'name' || otherwise === undefined || !policies.includes(otherwise)) return otherwise
  let number = policies.length + 1
  while (policies.includes(`policy-${number}`)) number += 1
  return `policy-${number}`
}

/** Whether an answer names assets, so that a person wants to see them. */
export function isAboutAssets({ flag }: Question): boolean {
  const form = policyQuestions.find((question) => question.flag === flag)?.form
  return form === 'asset' || form === 'assets' || form === 'weights'
}

function oneOf(text: string, words: readonly string[]): string {
  if (words.includes(text)) return text
  throw new NotAnAnswer(`expected ${words.join(', ')}; got something else`)
}

function questionOf(question: (typeof policyQuestions)[number]): Question {
  const { flag, form, asks } = question
  return {
    flag,
    asks: form === 'assets' ? `${asks} Codes with commas between them.` : asks,
    kinds: offeredKinds.filter((kind) => setups[kind].asks.includes(flag)),
    ...('otherwise' in question && { otherwise: question.otherwise }),
    read: READERS[form],
  }
}

function readAmount(text: string): string {
  if (AMOUNT_PATTERN.test(text)) return text
  throw new NotAnAnswer('expected a plain decimal such as 12.5; got something else')
}

function readAssets(text: string, reference: Reference): string {
  const codes = listed(text).map((code) => readAsset(code, reference))
  if (codes.length > 0) return codes.join(',')
  throw new NotAnAnswer('expected codes of assets with commas between them; got nothing')
}

function readContact(text: string, { contacts }: Reference): string {
  const found = contacts.filter(({ id, reference }) => id === text || reference === text)
  const [contact] = found
  if (contact !== undefined && found.length === 1) return contact.id
  const known = contacts.map(({ reference, id }) => reference ?? id).join(', ')
  const got = found.length > 1 ? 'a reference of several: give the id' : 'another'
  throw new NotAnAnswer(`expected a contact of the account (${known === '' ? 'it has none' : known}); got ${got}`)
}

/** The settled code, whichever spelling was given. */
function readAsset(text: string, reference: Reference): string {
  const found = reference.assets.find(
    ({ assetSymbol, rebasedSymbol }) => sameCode(assetSymbol, text) || sameCode(rebasedSymbol, text),
  )
  if (found !== undefined) return found.assetSymbol
  throw new NotAnAnswer(
    'expected the code of an asset of the service (sluice service assets lists them); got something else',
  )
}

function readWeights(text: string, reference: Reference): string {
  const parts = listed(text).map((part) => {
    const [code = '', share = ''] = part.split('=', 2)
    if (AMOUNT_PATTERN.test(share)) return `${readAsset(code, reference)}=${share}`
    throw new NotAnAnswer('expected CODE=SHARE with commas between them, such as BTC=0.5,USDC=0.5; got something else')
  })
  const sum = sumOf(parts.map((part) => parseDecimal(part.split('=', 2)[1], 'share')))
  if (sum === ONE_UNIT) return parts.join(',')
  throw new NotAnAnswer(`expected shares that add up to exactly 1; got ${formatDecimal(sum)}`)
}

/**
 * The schedule is checked here already, so that nobody answers all other questions in vain. The checks of the whole
 * file check it again.
 */
function readSchedule(text: string): string {
  if (text === 'none') return text
  if (!/^(rate|cron|at)\(.*\)$/.test(text)) {
    throw new NotAnAnswer('expected rate(…), cron(…) or at(…), such as "rate(1 day)", or none; got something else')
  }
  const usual = { expression: text, timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 }
  const [fault] = scheduleFaults(usual, [])
  if (fault === undefined) return text
  throw new NotAnAnswer(fault.message)
}
