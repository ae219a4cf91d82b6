// Chooses the query of a command below `sluice service`: its own, or the form that a flag asks for (`balances
// --history`, `markets --price`, `orders --fills`). An option that the chosen query does not take is refused, because
// it would be ignored. Maps the name of each query to its code. Pure.

import { advice } from '../../place/next-step.ts'
import { usageError } from '../../place/operation-error.ts'
import type { Query } from './columns.ts'
import { attributeOf, optionOf, type QueryFlags } from './filters.ts'
import { balances, deposits, history, ledger, withdrawals } from './money-queries.ts'
import type { QueryDefinition, QueryForm, QueryName } from './queries.ts'
import { assets, contacts, markets } from './reference-queries.ts'
import { fills, orders, price } from './trading-queries.ts'

interface ChosenQuery {
  readonly query: QueryDefinition
  /** The positional argument of that query. */
  readonly argument: string | undefined
}

/** @throws OperationError (exit 2) naming the option. */
export function chosenQuery(command: QueryDefinition, argument: string | undefined, flags: QueryFlags): ChosenQuery {
  const { form } = command
  if (form === undefined) return { query: command, argument }
  const value = flags[attributeOf(form)]
  if (value === undefined) {
    for (const option of optionsBeyond(form.query, command))
      assertNot(option, flags, `${optionOf(form)} beside it`, 'it alone')
    return { query: command, argument }
  }
  for (const option of optionsBeyond(command, form.query))
    assertNot(option, flags, `no ${optionOf(form)} beside it`, 'both')
  const named = form.hasArgument === true ? String(value) : argument
  if (named === undefined && form.query.argument?.isRequired === true) throw unnamed(form)
  return { query: form.query, argument: named }
}

/** The options of `one` that `other` does not take. */
function optionsBeyond(one: QueryDefinition, other: QueryDefinition): string[] {
  const known = other.filters.map(optionOf)
  const own = one.filters.map(optionOf).filter((option) => !known.includes(option))
  return one.canRebase && !other.canRebase ? [...own, '--rebased'] : own
}

function assertNot(option: string, flags: QueryFlags, expected: string, got: string): void {
  if (flags[attributeOf({ flag: option })] === undefined) return
  throw usageError('usage', `${option}: expected ${expected}; got ${got}`, `leave out ${option}`)
}

function unnamed({ flag, query }: QueryForm): Error {
  const message = `${optionOf({ flag })}: expected ${query.argument?.name} beside it, which is ${query.argument?.what}; got nothing`
  return usageError('usage', message, advice`as in: ${{ do: 'query', query: query.example }}`)
}

export const queryOf: Readonly<Record<QueryName, Query>> = {
  balances,
  assets,
  markets,
  price,
  orders,
  fills,
  withdrawals,
  deposits,
  contacts,
  ledger,
  history,
}
