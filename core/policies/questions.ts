// The questions that `sluice setup init` may ask about the fields of a policy, and what a kind says of them. Which
// flags there are is known without the schema library, so that help is shown at once. How an answer is read is not
// decided here.

/** How an answer is read: one asset, assets with commas between them, a plain decimal, CODE=SHARE, or a contact. */
export type AnswerForm = 'asset' | 'assets' | 'amount' | 'weights' | 'contact'

interface PolicyQuestion {
  readonly flag: string
  readonly form: AnswerForm
  /** For a person. */
  readonly asks: string
  /** For the help of the flag, after the kinds that it is for. */
  readonly help: string
  /** The answer where the person gives none. Absent where there has to be an answer. */
  readonly otherwise?: string
}

/** In the order in which they are asked. */
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

/** Returns the answer to one of the kind's own questions. @throws TypeError where it has none */
export type AnswerOf = (flag: PolicyFlag) => string

/** What `sluice setup init` asks for a policy of a kind, and makes of the answers. */
export interface KindSetup {
  readonly asks: readonly PolicyFlag[]
  /** The answer to change where no market leads between the assets. */
  readonly convertedBy: PolicyFlag
  /** Returns the fields of the policy that only its kind has. */
  draft(answerOf: AnswerOf): Readonly<Record<string, unknown>>
  /** Returns the assets that the contact has to take. Absent: the kind sends nothing away. */
  sent?(answerOf: AnswerOf): readonly string[]
}

/** The parts of an answer with commas between them. */
export function listed(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
