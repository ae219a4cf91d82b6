// Kills one desk and its clients over one state directory at random moments. It combines the parts, measures how long a
// command takes, and returns the result.
import { rmSync } from 'node:fs'
import { seededRandom } from '../../../simulation/choices.ts'
import type { Given, Played } from '../../campaign.ts'
import { askedIntent } from './asked-intents.ts'
import { type Campaign, createCampaign, killsOf } from './campaign.ts'
import { askOnce, keepAsking, keepReading, settleIntent } from './clients.ts'
import { judge } from './judge.ts'
import { killAtRandom } from './killer.ts'
import { keepServing } from './serving.ts'
import { openWorld } from './world.ts'

/** Clients that request intents. One more client reads, halts and resumes. */
const ASKERS = 3
/** Upper limit, so that kills come close together on a busy machine too. */
const LONGEST_PAUSE_MS = 20_000

export async function killDeskAndClients(kills: Given): Promise<Played> {
  const world = await openWorld(kills)
  const campaign = createCampaign(world, kills.seed)
  const { counts, ended, processes, violations } = campaign
  try {
    await killThem(campaign, kills)
    const { movements, zeros } = await judge(campaign)
    const { again, clientDesks, clients, commands, desks } = counts
    const repeated = [...again].map(([code, count]) => `, ${code} ${count}`).join('')
    return {
      violations,
      facts: [
        `desks killed ${desks} (of them clients ${clientDesks}), clients ${clients}; commands ${commands}${repeated}`,
        `kills ${killsOf(campaign)}, intents ${ended.length}, movements ${movements}, zeros ${zeros}`,
      ],
    }
  } finally {
    await processes.stop()
    await world.stop()
    if (violations.length === 0) rmSync(world.dir, { recursive: true, force: true })
    else console.log(`what is left of it: ${world.dir}, with every command in commands.log`)
  }
}

async function killThem(campaign: Campaign, { size: mostKills, seed }: Given): Promise<void> {
  const draw = seededRandom(seed)
  const stream = () => seededRandom(Math.floor(draw() * 2 ** 32))
  const [killer, keeper, looker] = [stream(), stream(), stream()]
  const askers = Array.from({ length: ASKERS }, stream)
  let asked = 0
  const next = () => asked++
  const serving = await keepServing(campaign, keeper)
  await measure(campaign, looker, next)
  const longestPauseMs = Math.min(campaign.usualMs, LONGEST_PAUSE_MS)
  const others = [...askers.map((random) => keepAsking(campaign, random, next)), keepReading(campaign, looker)]
  try {
    await killAtRandom(campaign, killer, { mostKills, longestPauseMs })
  } finally {
    campaign.isOver = true
  }
  await Promise.all(others)
  const needs = await askOnce(campaign, looker, ['cases', 'list'])
  if (needs !== undefined && (JSON.parse(needs) as { readonly intents: readonly unknown[] }).intents.length > 0) {
    campaign.violations.push(`at the end a person is needed: ${needs.trim()}`)
  }
  await serving.stop()
}

/** Measures one intent that nobody kills, at a ready desk. The moments of kills are drawn from this time. */
async function measure(campaign: Campaign, random: () => number, next: () => number): Promise<void> {
  const startedMs = performance.now()
  await settleIntent(campaign, random, { ...askedIntent(campaign.seed, next()), isTwin: false })
  campaign.usualMs = performance.now() - startedMs
}
