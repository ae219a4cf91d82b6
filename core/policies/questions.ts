// Lists the questions that `sluice setup init` may ask about a policy, and defines the form in which a kind picks its
// questions. It lists the flags without loading the schema library, so that help is shown at once. It judges no answer.

/** The form of an answer: one asset, assets with commas between them, a plain decimal, CODE=SHARE, or a contact. */
export type AnswerForm = 'asset' | 'assets' | 'amount' | 'weights' | 'contact'

interface PolicyQuestion {
  readonly flag: string
  readonly form: AnswerForm
  readonly asks: string
  /** The text in the help of the flag, after the names of the kinds. */
  readonly help: string
  /** The answer where the person gives no answer. Absent: an answer is required. */
  readonly otherwise?: string
}

/** The questions in the order in which they are asked. */
export const policyQuestions = [
  {
    flag: 'weights',
    form: 'weights',
    asks: 'Which shares should the account hold, adding up to 1 (BTC=0.5,USDC=0.5)?',
    help: 'shares of the total value, such as BTC=0.5,USDC=0.5',
  },
  { flag: 'asset', form: 'asset', asks: 'Which asset is it about?', help: 'the asset' },
  {
    flag: 'at-least',
    form: 'amount',
    asks: 'How much of it should always be there?',
    help: 'how much of it should always be there',
  },
  {
    flag: 'from',
    form: 'assets',
    asks: 'With which assets is it bought, in this order?',
    help: 'with which assets it is bought, in this order',
  },
  { flag: 'sell', form: 'asset', asks: 'Which asset is converted?', help: 'the asset to convert' },
  { flag: 'into', form: 'asset', asks: 'Into which asset?', help: 'into which asset' },
  { flag: 'assets', form: 'assets', asks: 'Which assets are sent away?', help: 'which assets are sent away' },
  {
    flag: 'keep',
    form: 'amount',
    asks: 'How much of each stays?',
    help: 'how much of it stays (default: 0)',
    otherwise: '0',
  },
  {
    flag: 'contact',
    form: 'contact',
    asks: 'To which contact (its id, or its reference)?',
    help: 'a contact by its id, or its reference',
  },
] as const satisfies readonly PolicyQuestion[]

export type PolicyFlag = (typeof policyQuestions)[number]['flag']

/** Returns the answer to a question of the kind. @throws TypeError for a question that the kind does not ask */
type AnswerOf = (flag: PolicyFlag) => string

/** The questions of `sluice setup init` for a kind, and the policy made from the answers. */
export interface KindSetup {
  readonly asks: readonly PolicyFlag[]
  /** A file starts each run, so that it has no schedule. */
  readonly isByFile?: true
  /** The question to answer differently where no market connects the assets. */
  readonly convertedBy: PolicyFlag
  /** Returns the fields that only this kind of policy has. */
  draft(answerOf: AnswerOf): Readonly<Record<string, unknown>>
  /** Returns the assets that the contact must accept. Absent: the kind withdraws nothing. */
  sent?(answerOf: AnswerOf): readonly string[]
}

export function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
