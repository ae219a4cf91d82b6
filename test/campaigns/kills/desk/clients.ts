// Plays a person at a terminal, who repeats a command until it has ended, whoever kills it meanwhile. The person
// requests one intent after another, and each once more to see the same result again.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AskedIntent, askedIntent } from './asked-intents.ts'
import type { Campaign } from './campaign.ts'
import { type Verdict, verdictOnRead, verdictOnRun } from './expected-ends.ts'
import type { EndedCommand } from './processes.ts'

/** Longest time of a command. A run may wait for the fences of others before its own; each is under a minute. */
const LONGEST_RUN_MS = 300_000
const LONGEST_LOOK_MS = 120_000
/** Additional time, as a multiple of a usual intent, because that many desks may die while they start. */
const MOST_USUAL = 10
/** How often a command that was not killed is run again. */
const MOST_TRIES = 12
const MOST_PAUSE_MS = 1_000

interface ClientCommand {
  readonly name: string
  readonly args: readonly string[]
  readonly longestMs: number
  readonly verdictOn: (ended: EndedCommand) => Verdict
}

/** Returns the last output. Undefined if the command never ended well, which is a violation. */
async function runUntilOver(
  campaign: Campaign,
  random: () => number,
  asked: ClientCommand,
): Promise<string | undefined> {
  const { processes, counts, violations } = campaign
  for (let tries = 0; tries < MOST_TRIES; ) {
    counts.commands += 1
    const longestMs = asked.longestMs + MOST_USUAL * campaign.usualMs
    const ended = await processes.start({ ...asked, longestMs, role: 'client' }).ended
    if (!ended.isKilled) {
      tries += 1
      const verdict = asked.verdictOn(ended)
      if (verdict.kind === 'over') return verdict.result
      if (verdict.kind === 'again') counts.again.set(verdict.code, (counts.again.get(verdict.code) ?? 0) + 1)
      else violations.push(`${asked.name}: ${verdict.why}`)
    }
    await sleep(random() * MOST_PAUSE_MS)
  }
  violations.push(`${asked.name}: not at its end after ${MOST_TRIES} tries`)
  return undefined
}

/** Runs the intent to its end, and requests it once more. */
export async function settleIntent(campaign: Campaign, random: () => number, asked: AskedIntent): Promise<void> {
  const { world, violations, ended } = campaign
  const run = (name: string) =>
    runUntilOver(campaign, random, {
      name,
      args: world.run(asked),
      longestMs: LONGEST_RUN_MS,
      verdictOn: verdictOnRun,
    })
  const both = asked.isTwin ? [run(asked.id), run(`${asked.id} (twin)`)] : [run(asked.id)]
  const results = [...(await Promise.all(both)), await run(`${asked.id} (again)`)]
  const [result] = results
  if (result === undefined) return
  if (results.some((other) => other !== undefined && other !== result)) {
    violations.push(`${asked.id}: its results are not the same: ${results.join(' ')}`)
  }
  ended.push({ asked, result })
}

/** Requests one intent after another until the last kill. All clients share `next`. */
export async function keepAsking(campaign: Campaign, random: () => number, next: () => number): Promise<void> {
  while (!campaign.isOver) await settleIntent(campaign, random, askedIntent(campaign.seed, next()))
}

const BY = ['--by', 'kill', '--because', 'a test']
const LONGEST_HALT_MS = 2_000
const MOST_BETWEEN_LOOKS_MS = 4_000
const SHARE_OF_HALTS = 0.25

/** Runs read commands from time to time, and sometimes halts everything for a moment. Every halt is resumed. */
export async function keepReading(campaign: Campaign, random: () => number): Promise<void> {
  while (!campaign.isOver) {
    await sleep(random() * MOST_BETWEEN_LOOKS_MS)
    const isHalt = random() < SHARE_OF_HALTS
    const look = random() < 0.5 ? ['runs', 'list'] : ['cases', 'list']
    if (!isHalt) {
      await askOnce(campaign, random, look)
      continue
    }
    await askOnce(campaign, random, ['halt', ...BY])
    await sleep(random() * LONGEST_HALT_MS)
    await askOnce(campaign, random, ['resume', ...BY])
  }
}

/** Repeats the command until it has ended, because a person who halts or resumes needs certainty. */
export function askOnce(
  campaign: Campaign,
  random: () => number,
  argv: readonly string[],
): Promise<string | undefined> {
  return runUntilOver(campaign, random, {
    name: argv[0] ?? '',
    args: campaign.world.command(...argv),
    longestMs: LONGEST_LOOK_MS,
    verdictOn: (ended) => verdictOnRead(argv, ended),
  })
}
