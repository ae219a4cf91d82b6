// Lists every endpoint of the API, one action each, and finds the action for a method and a path. Each segment is
// decoded separately, so an encoded slash or dot stays part of an id.
import { getAccount, getBalanceHistory, listBalances, listDeposits, listLedger } from './actions/account.ts'
import { getContact, listContacts, updateContact } from './actions/contacts.ts'
import { createQuote } from './actions/create-quote.ts'
import { createWithdrawal } from './actions/create-withdrawal.ts'
import { getHealth, getTime, getWebhookKeys } from './actions/host.ts'
import { getAsset, getMarket, getPrice, listAssets, listMarkets } from './actions/listings.ts'
import { getOrder, listFills, listOrderFills, listOrders } from './actions/orders.ts'
import { placeOrder } from './actions/place-order.ts'
import { getWithdrawal, listWithdrawals } from './actions/withdrawals.ts'
import type { Action } from './exchange.ts'
import { invalid } from './problem.ts'

export const ACTIONS: readonly Action[] = [
  getHealth,
  getTime,
  getWebhookKeys,
  getAccount,
  listAssets,
  getAsset,
  listMarkets,
  getMarket,
  getPrice,
  createQuote,
  placeOrder,
  listOrders,
  getOrder,
  listOrderFills,
  listFills,
  listBalances,
  getBalanceHistory,
  createWithdrawal,
  listWithdrawals,
  getWithdrawal,
  listContacts,
  getContact,
  updateContact,
  listDeposits,
  listLedger,
]

interface Node {
  readonly children: Map<string, Node>
  parameter: { readonly name: string; readonly node: Node } | undefined
  readonly actions: Map<string, Action>
}

export interface Found {
  readonly action: Action
  readonly path: Readonly<Record<string, string>>
}

export class Router {
  readonly #root = emptyNode()

  constructor(actions: readonly Action[]) {
    for (const action of actions) this.#add(action)
  }

  /**
   * Returns undefined when no action has this method and path. Throws validation_error for a path that cannot be
   * decoded.
   */
  find(method: string, rawPath: string): Found | undefined {
    const path: Record<string, string> = {}
    let node = this.#root
    for (const raw of rawPath.split('/').slice(1)) {
      const child = node.children.get(raw)
      if (child !== undefined) {
        node = child
        continue
      }
      if (node.parameter === undefined || raw === '') return undefined
      path[node.parameter.name] = decodeSegment(raw)
      node = node.parameter.node
    }
    const action = node.actions.get(method)
    return action && { action, path }
  }

  #add(action: Action): void {
    let node = this.#root
    for (const segment of action.path.split('/').slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1]
      if (name === undefined) {
        const child = node.children.get(segment) ?? emptyNode()
        node.children.set(segment, child)
        node = child
      } else {
        node.parameter ??= { name, node: emptyNode() }
        node = node.parameter.node
      }
    }
    node.actions.set(action.method, action)
  }
}

function emptyNode(): Node {
  return { children: new Map(), parameter: undefined, actions: new Map() }
}

function decodeSegment(raw: string): string {
  if (!raw.includes('%')) return raw
  try {
    return decodeURIComponent(raw)
  } catch {
    throw invalid('The path holds a percent sign that encodes nothing.')
  }
}
