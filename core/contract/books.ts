// Defines the accounts of the journal entries that Sluice writes for hledger and beancount, and the directions of ledger entries
// that people name. Shapes and defaults only.
import * as z from 'zod/mini'
import { assetCode } from './fields.ts'

const ACCOUNT_EXPECTATION =
  'an account that hledger and beancount accept, such as "Assets:Sluice": Assets, Liabilities, Equity, Income or Expenses, then parts that begin with a capital letter or a digit'

/** The stricter rules are those of beancount. */
const account = z
  .string()
  .check(
    z.regex(/^(Assets|Liabilities|Equity|Income|Expenses)(:[A-Z0-9][A-Za-z0-9-]{0,63}){1,8}$/, ACCOUNT_EXPECTATION),
  )

function accountFor(description: string, usual: string) {
  return z._default(account, usual).register(z.globalRegistry, { description })
}

/** Maximum payees with an account of their own. */
const MOST_PAYEES = 1_000

const label = z.string().check(z.minLength(1), z.maxLength(256))
/** Maximum types and entries with a direction of their own. */
const MOST_DIRECTIONS = 1_000

export const books = z.strictObject({
  accounts: z
    .prefault(
      z.strictObject({
        holdings: accountFor('What the account holds. Each asset has an account of its own below it.', 'Assets:Sluice'),
        deposits: accountFor('Where deposits come from.', 'Equity:Deposits'),
        withdrawals: accountFor('Where withdrawals go, unless `payees` names another account.', 'Equity:Withdrawals'),
        conversions: accountFor('Both sides of conversions, each in its own asset.', 'Equity:Conversions'),
        fees: accountFor('Fees of withdrawals.', 'Expenses:Fees'),
        others: accountFor('Conversions and withdrawals that no intent of the journal has made.', 'Equity:Others'),
        adjustments: accountFor('Every other entry of the ledger, such as a correction.', 'Equity:Adjustments'),
        opening: accountFor('Balances at the begin of the books.', 'Equity:Opening-Balances'),
      }),
      {},
    )
    .register(z.globalRegistry, { description: 'Accounts by kind of entry.' }),
  assets: z._default(z.record(assetCode, account), {}).register(z.globalRegistry, {
    description: 'Accounts of single assets by their settled code, in place of one below `holdings`.',
  }),
  payees: z
    ._default(
      z
        .record(label, account)
        .check(z.refine((payees) => Object.keys(payees).length <= MOST_PAYEES, `at most ${MOST_PAYEES} payees`)),
      {},
    )
    .register(z.globalRegistry, {
      description: 'Accounts of withdrawals to a contact, by its reference, alias or id.',
    }),
  directions: z
    ._default(
      z
        .record(label, z.enum(['in', 'out']))
        .check(
          z.refine((given) => Object.keys(given).length <= MOST_DIRECTIONS, `at most ${MOST_DIRECTIONS} directions`),
        ),
      {},
    )
    .register(z.globalRegistry, {
      description:
        'Whether entries of the ledger raise the balance (`in`) or lower it (`out`), by type or by the id of an entry. Only where the type does not say it.',
    }),
})
export type Books = z.infer<typeof books>
