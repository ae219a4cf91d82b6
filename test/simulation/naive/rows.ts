// Naive variants of how a withdrawal finds its row, and of withdrawals side by side.

import { IntentState } from '../../../core/contract/records.ts'
import type { OpenWithdrawal } from '../../../core/journal/intent.ts'
import { atClient, atJournal, atLanes, losingCompare, type NaiveVariants } from './at-port.ts'

const SLACK_MS = 48 * 3_600_000

const shifted = (date: string | undefined, ms: number) =>
  date === undefined ? undefined : new Date(Date.parse(date) + ms).toISOString()

export const NAIVE_ROWS: NaiveVariants = {
  'refund-by-an-old-balance': {
    about: 'judges a refund by a balance from before the send',
    ...{ world: 'withdraw', untidy: ['books'] },
    ports: atClient((client, intent) => ({
      async balances() {
        const held = await client.balances()
        if (intent()?.state !== IntentState.Done) return held
        return Promise.all(
          held.map(async (each) => ({ ...each, balance: await client.balanceBefore(each.assetSymbol, 0) })),
        )
      },
    })),
  },
  'near-is-none': {
    about: 'treats a row that is only similar to ours as a foreign row',
    world: 'withdraw',
    ports: atClient((client, intent) => ({
      async listWithdrawals(filter, limit) {
        const rows = await client.listWithdrawals(filter, limit)
        const frozen = intent()?.frozen as OpenWithdrawal['frozen'] | undefined
        return rows.filter(({ total, amount }) => [total, amount].includes(frozen?.amount ?? total))
      },
    })),
  },
  'first-match': {
    about: 'adopts a row that matches, whoever else writes to the account',
    world: 'withdraw',
    deployed: (surroundings) => ({ ...surroundings, shared: false }),
  },
  'adopts-beside-unknown-rows': {
    about: 'adopts a row that matches, though a recent one shows that others write to the account',
    ...{ world: 'withdraw', untidy: ['writers'] },
    ports: atJournal((journal, { intentId }) => ({
      findClaim: async (kind, movementId) => (await journal.findClaim(kind, movementId)) ?? intentId,
    })),
  },
  'page-1-only': {
    about: 'reads the first rows of the withdrawals',
    world: 'withdraw',
    ports: atClient((client) => ({
      listWithdrawals: async (filter, limit) => (await client.listWithdrawals(filter, limit)).slice(0, 1),
    })),
  },
  'rows-without-an-asset': {
    about: 'leaves out the rows that do not name their asset',
    ...{ world: 'withdraw', untidy: ['assets'] },
    ports: atClient((client) => ({
      listWithdrawals: async (filter, limit) =>
        (await client.listWithdrawals(filter, limit)).filter(({ assetSymbol }) => assetSymbol !== null),
    })),
  },
  'rows-by-their-spelling': {
    about: 'leaves out the rows that name their asset in another spelling, or another asset',
    ...{ world: 'withdraw', untidy: ['assets'] },
    ports: atClient((client) => ({
      listWithdrawals: async (filter, limit) =>
        (await client.listWithdrawals(filter, limit)).filter(
          ({ assetSymbol }) => assetSymbol === null || assetSymbol === filter.assetSymbol,
        ),
    })),
  },
  'window-ends-at-fence': {
    about: 'looks for its row among those dated before its fence',
    ...{ world: 'withdraw', untidy: ['dates'] },
    ports: atClient((client) => ({
      async listWithdrawals(filter, limit) {
        const endMs = Date.parse(shifted(filter.endDate, -2 * SLACK_MS) ?? '')
        const rows = await client.listWithdrawals(filter, limit)
        return rows.filter(({ createdAt }) => !(Date.parse(createdAt) > endMs))
      },
    })),
  },
  'exact-window-ends': {
    about: 'trusts the filter of a list to be exact at its end',
    ...{ world: 'withdraw', untidy: ['dates', 'pages'] },
    ports: atClient((client) => ({
      listWithdrawals: ({ endDate, ...filter }, limit) =>
        client.listWithdrawals({ ...filter, ...(endDate && { endDate: shifted(endDate, -SLACK_MS) ?? '' }) }, limit),
    })),
  },
  'lane-forgets-who-sent': {
    about: 'sends although the list lacks rows that the previous withdrawal knew',
    ...{ world: 'withdraw', untidy: ['lists', 'past', 'lanes', 'writers'] },
    ports: atLanes((lanes) => ({
      async take(...asked) {
        const { heldBy, why } = await lanes.take(...asked)
        return heldBy === undefined ? {} : { heldBy, ...(why !== undefined && { why }) }
      },
    })),
  },
  'no-lane': {
    about: 'sends although another withdrawal of the asset is in doubt',
    world: 'withdraw',
    ports: atLanes((lanes) => ({
      async take(...asked) {
        const { heldBy: _heldBy, why: _why, ...lane } = await lanes.take(...asked)
        return lane
      },
    })),
  },
  'escalated-frees-lane': {
    about: 'takes the lane of a withdrawal that waits for a person',
    world: 'withdraw',
    ports: atLanes((lanes) => ({
      async take(...asked) {
        const lane = await lanes.take(...asked)
        return lane.why === 'waits for a person' ? {} : lane
      },
    })),
  },
  'ready-frees-lane': {
    about: 'takes the lane of a withdrawal that has sent nothing yet',
    world: 'withdraw',
    ports: atLanes((lanes, { journal }) => ({
      async take(...asked) {
        const lane = await lanes.take(...asked)
        const holder = lane.heldBy && (await journal.find(lane.heldBy, 'withdraw'))
        return holder && holder.state === IntentState.Ready ? {} : lane
      },
    })),
  },
  'lane-taken-by-both': {
    about: 'takes a free lane that another intent has taken meanwhile',
    world: 'withdraw',
    store: losingCompare('L#'),
  },
  'beside-whatever-the-amount': {
    about: 'lets withdrawals of the same amount be in doubt side by side',
    ...{ world: 'withdraw', untidy: ['beside'] },
    ports: atLanes((lanes) => ({
      take: (account, asset, intentId, rules) =>
        lanes.take(account, asset, intentId, { ...rules, mayGoBeside: () => true }),
    })),
  },
  'beside-cut-amounts': {
    about:
      'lets withdrawals be in doubt side by side if their amounts differ, though one cut to a coarser increment is the other',
    ...{ world: 'withdraw', untidy: ['beside'] },
    ports: atLanes((lanes, { journal }) => ({
      async take(account, asset, intentId, rules) {
        const own = await journal.find(intentId, 'withdraw')
        const mayGoBeside = ({ frozen }: OpenWithdrawal) => frozen.amount !== own?.frozen.amount
        return lanes.take(account, asset, intentId, { ...rules, mayGoBeside })
      },
    })),
  },
  'rows-of-others-are-strangers': {
    about: 'takes rows of other withdrawals in flight for those of others who write to the account',
    ...{ world: 'withdraw', untidy: ['beside'] },
    ports: atLanes(() => ({ findSenders: async () => [] })),
  },
}
