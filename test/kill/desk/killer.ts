// Kills with kill -9, at moments that the seed draws: the desk, a client, or both. The desk is whoever serves the
// directory then, `serve` or a client that has brought up a desk of its own.
import { setTimeout as sleep } from 'node:timers/promises'
import { findDesk } from '../../../operations/connection/desk/desk-file.ts'
import { pickWith } from '../../simulation/choices.ts'
import { type Campaign, killsOf } from './campaign.ts'
import type { Living } from './processes.ts'

/** Of the kills, those whose moment is drawn from when a desk is ready: on a slow machine the others fall while one comes up. */
const SHARE_AT_WORK = 0.6
const MOST_LOOKS = 6_000
const TARGETS = ['desk', 'desk', 'client', 'client', 'both'] as const
/** Where nobody runs to be killed, for example in the pause before the next serve, or no desk is ready. */
const LOOK_AGAIN_MS = 20
const TELL_EVERY = 10

/** Until so many processes were killed. */
export async function killAtRandom(
  campaign: Campaign,
  random: () => number,
  { mostKills, longestPauseMs }: { readonly mostKills: number; readonly longestPauseMs: number },
): Promise<void> {
  const startedMs = performance.now()
  let told = 0
  while (killsOf(campaign) < mostKills) {
    // As many draws for each kill, whatever runs by then.
    const pauseMs = random() * longestPauseMs
    const target = pickWith(random, TARGETS)
    const which = random()
    if (random() < SHARE_AT_WORK) await untilReady(campaign)
    await sleep(pauseMs)
    const victims = await findVictims(campaign, target, which, mostKills - killsOf(campaign))
    await Promise.all(victims.map((victim) => kill(campaign, victim)))
    const tens = Math.floor(killsOf(campaign) / TELL_EVERY)
    if (tens === told) continue
    told = tens
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    console.log(`${killsOf(campaign)} kills, ${campaign.ended.length} intents ended, ${seconds} s`)
  }
}

/** Until some process says that executions go on at it, for two minutes at most. */
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

/** The one that says so, else the `serve` that is on its way there. */
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
