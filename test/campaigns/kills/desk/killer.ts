// Kills with kill -9 at moments that the seed draws: the desk, a client, or both. The desk is the process that serves
// the directory at that time, either `serve` or a client with its own desk.
import { setTimeout as sleep } from 'node:timers/promises'
import { findDesk } from '../../../../place/desk/desk-file.ts'
import { pickWith } from '../../../simulation/choices.ts'
import { type Campaign, killsOf } from './campaign.ts'
import type { Living } from './processes.ts'

/** Share of kills whose moment counts from a ready desk. On a slow machine the other kills fall while a desk starts. */
const SHARE_AT_WORK = 0.6
const MOST_LOOKS = 6_000
const TARGETS = ['desk', 'desk', 'client', 'client', 'both'] as const
/** Wait when no process can be killed or no desk is ready, for example before the next serve. */
const LOOK_AGAIN_MS = 20
const PROGRESS_EVERY = 10

/** Kills until `mostKills` processes were killed. */
export async function killAtRandom(
  campaign: Campaign,
  random: () => number,
  { mostKills, longestPauseMs }: { readonly mostKills: number; readonly longestPauseMs: number },
): Promise<void> {
  const startedMs = performance.now()
  let reportedTens = 0
  while (killsOf(campaign) < mostKills) {
    // Draws the same number of values for each kill, whichever processes run.
    const pauseMs = random() * longestPauseMs
    const target = pickWith(random, TARGETS)
    const which = random()
    if (random() < SHARE_AT_WORK) await untilReady(campaign)
    await sleep(pauseMs)
    const victims = await findVictims(campaign, target, which, mostKills - killsOf(campaign))
    await Promise.all(victims.map((victim) => kill(campaign, victim)))
    const tens = Math.floor(killsOf(campaign) / PROGRESS_EVERY)
    if (tens === reportedTens) continue
    reportedTens = tens
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    console.log(`${killsOf(campaign)} kills, ${campaign.ended.length} intents ended, ${seconds} s`)
  }
}

/** Waits until some process reports that executions run on it, for at most two minutes. */
async function untilReady({ world }: Campaign): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    if (findDesk(world.stateDir)?.machines !== undefined) return
    await sleep(LOOK_AGAIN_MS)
  }
}

interface Victim {
  readonly living: Living
  readonly isDesk: boolean
}

async function findVictims(
  campaign: Campaign,
  target: (typeof TARGETS)[number],
  which: number,
  most: number,
): Promise<readonly Victim[]> {
  for (;;) {
    const desk = target === 'client' ? undefined : deskOf(campaign)
    const clients = campaign.processes.living('client').filter(({ pid }) => pid !== desk?.pid)
    const client = target === 'desk' ? undefined : clients[Math.floor(which * clients.length)]
    const victims = [
      ...(desk === undefined ? [] : [{ living: desk, isDesk: true }]),
      ...(client === undefined ? [] : [{ living: client, isDesk: isDesk(campaign, client) }]),
    ]
    if (victims.length > 0) return victims.slice(0, most)
    await sleep(LOOK_AGAIN_MS)
  }
}

/** The process that claims to be the desk, else the `serve` that is starting. */
function deskOf({ processes, world }: Campaign): Living | undefined {
  const pid = findDesk(world.stateDir)?.holder.pid
  const serving = processes.living('serve')
  return [...serving, ...processes.living('client')].find((each) => each.pid === pid) ?? serving[0]
}

function isDesk({ world }: Campaign, { pid }: Living): boolean {
  return findDesk(world.stateDir)?.holder.pid === pid
}

async function kill({ counts }: Campaign, { living, isDesk: wasDesk }: Victim): Promise<void> {
  if (!(await living.kill())) return
  if (!wasDesk) counts.clients += 1
  else {
    counts.desks += 1
    if (living.role === 'client') counts.clientDesks += 1
  }
}
