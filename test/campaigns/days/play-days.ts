// Plays the worlds of days: a treasury run by its schedules, by deposits and by people. The synthesized assembly on the embedded
// AWS and the HTTP sandbox are on one virtual clock. An observer that knows the service's ledger and treasury.json alone judges
// what left the account; the journal is held against the ledger besides. A finding begins with its kind.
import { appendFileSync, writeFileSync } from 'node:fs'
import type { CampaignWorld, Given, Played } from '../campaign.ts'
import { judge as judgeMovements, movementKey } from '../judge.ts'
import { countBy, countsText } from '../program.ts'
import type { Evidence } from './evidence.ts'
import { observe } from './observer/observer.ts'
import { type Passed, runDays } from './run-days.ts'
import type { World } from './world.ts'
import { bounds } from './worlds/bounds.ts'
import { WORLDS } from './worlds.ts'

const BROKEN: World = {
  ...bounds,
  ...{ name: 'keepless', says: 'as bounds, deployed by a file that keeps nothing: the observer must find it' },
  deployed: (file) =>
    JSON.parse(JSON.stringify(file).replaceAll(/"keep":\{"target":"[^"]+"\}/g, '"keep":{"target":"0.01"}')),
}

export const DAYS: readonly CampaignWorld[] = [...WORLDS, BROKEN].map((world) => ({
  name: world.name,
  says: world.says,
  size: { of: 'days', usual: 4, most: 400 },
  isBroken: world === BROKEN,
  play: (given) => live(world, given),
}))

async function live(world: World, { size: days, seed, keep }: Given): Promise<Played> {
  if (keep !== undefined) writeFileSync(`${keep}.log`, '')
  const passed = await runDays({
    ...{ world, seed, days },
    onProgress: (day, text) => console.log(`day ${day}: ${text}`),
    ...(keep !== undefined && {
      onFunctionLog: (name, line) => appendFileSync(`${keep}.log`, `${name} ${line}\n`),
    }),
  })
  const { evidence, refusals } = passed
  if (keep !== undefined && evidence)
    writeFileSync(
      keep,
      JSON.stringify(evidence, (_name, value) => asJson(value), 1),
    )
  return {
    violations: findingsOf(passed),
    facts: [...refusals.map((refusal) => `refused: ${refusal}`), ...(evidence ? factsOf(evidence) : [])],
  }
}

function asJson(value: unknown): unknown {
  return value instanceof Map ? [...value] : value
}

/** A refused treasury has no findings. */
function findingsOf({ evidence, plot }: Passed): readonly string[] {
  if (evidence === undefined) return []
  const { oracle, intents, claims } = evidence
  const moved = judgeMovements({
    ...{ movements: oracle.movements, intents },
    claims: new Map(oracle.movements.map((movement) => [movementKey(movement), claims.get(movement.id)])),
    ledgerViolations: oracle.invariants.violations,
  })
  return [...new Set([...observe(evidence), ...moved, ...(plot.expect?.(evidence) ?? [])])]
}

function factsOf({ runs, oracle, intents, duplicates }: Evidence): string[] {
  const { movements, requests, requestsTotal } = oracle
  const ends = Object.entries(countBy(runs, ({ policy, outcome }) => `${policy} ${outcome}`)).sort()
  const faults = countBy(
    requests.flatMap((request) => request.faults ?? []),
    (kind) => kind,
  )
  return [
    ...ends.map(([end, count]) => `  ${end} ${count}`),
    `runs ${runs.length}, by ${countsText(countBy(runs, ({ trigger }) => trigger?.by ?? 'nobody'))}`,
    `intents ${intents.length}: ${countsText(countBy(intents, ({ state }) => state))}`,
    `movements ${movements.length}; deliveries done twice ${duplicates}`,
    `requests ${requestsTotal}; the last ${requests.length} met ${countsText(faults)}`,
  ]
}
