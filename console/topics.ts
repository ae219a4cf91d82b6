// Defines the topics that pages follow: the data to read for each name.

import { type AccountNow, valuedIn } from '../operations/overview/account.ts'
import { readAudit, readNeeds, readOverview } from '../operations/overview/overview.ts'
import { readPolicy } from '../operations/overview/policy.ts'
import { readIntent, readRun } from '../operations/runs/run.ts'
import type { Reader } from '../place/reader.ts'
import type { Acts } from './acts.ts'
import type { Topic } from './topic-reader.ts'

export type Topics = ReturnType<typeof createTopics>

/** Every id is shorter. */
const MOST_NAME_CHARS = 300

export function createTopics(reader: Reader, acts: Acts, readAccount: () => Promise<AccountNow>) {
  const fixed = {
    overview: topic('overview', async () => {
      const [overview, account] = await Promise.all([readOverview(reader), readAccount()])
      return { ...overview, account, sent: valuedIn(account, overview.needs.onTheWay) }
    }),
    attention: topic('attention', async () => {
      const [needs, account] = await Promise.all([readNeeds(reader), readAccount()])
      return { ...needs, account }
    }),
    audit: topic('audit', async () => ({ ...(await readAudit(reader)), acts: acts.all().length })),
  }
  const made = {
    run: (runId: string) => topic(`run:${runId}`, () => readRun(reader, runId)),
    intent: (intentId: string) => topic(`intent:${intentId}`, () => readIntent(reader, intentId)),
    policy: (name: string) => topic(`policy:${name}`, () => readPolicy(reader, name)),
    act: (id: string) => topic(`act:${id}`, async () => acts.find(id) ?? null),
  }
  return {
    ...fixed,
    ...made,
    named(name: string): Topic<unknown> | undefined {
      if (name.length > MOST_NAME_CHARS) return undefined
      const [kind = '', ...rest] = name.split(':')
      if (rest.length === 0) return Object.hasOwn(fixed, name) ? fixed[name as keyof typeof fixed] : undefined
      return Object.hasOwn(made, kind) ? made[kind as keyof typeof made](rest.join(':')) : undefined
    },
  }
}

function topic<Data>(name: string, read: () => Promise<Data>): Topic<Data> {
  return { name, read }
}
