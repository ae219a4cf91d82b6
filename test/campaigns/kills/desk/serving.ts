// Keeps `sluice serve` running. It starts it again a random pause after each kill, so that a client may or may not have
// its own desk by that time.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Campaign } from './campaign.ts'
import type { Started } from './processes.ts'

const MOST_PAUSE_MS = 6_000
/** `serve` should end only by a kill. After this many other ends it is not started again. */
const MOST_ENDS = 5
const LOOK_MS = 100
const MOST_LOOKS = (2 * MOST_PAUSE_MS) / LOOK_MS

export interface Serving {
  /** Ends the last serve as a person does, once it is ready. */
  stop(): Promise<void>
}

/** Resolves when the first serve is ready. */
export async function keepServing(campaign: Campaign, random: () => number): Promise<Serving> {
  const { processes, violations, world } = campaign
  let latest = start()
  let isStopping = false
  await latest.running.firstLine
  const keeping = keep()
  return { stop }

  function start(): Started {
    return processes.start({ name: 'serve', role: 'serve', args: world.command('serve') })
  }

  async function keep(): Promise<void> {
    for (let ends = 0; ends < MOST_ENDS; ) {
      const { exitCode, signal, stderr, isKilled } = await latest.ended
      if (isStopping) return
      if (!isKilled) {
        ends += 1
        violations.push(`serve: ended by itself with ${exitCode ?? signal}: ${stderr.trim().split('\n').at(-1)}`)
      }
      await sleep(random() * MOST_PAUSE_MS)
      latest = start()
    }
  }

  async function stop(): Promise<void> {
    // Nobody kills any more, so the serve after the last kill stays.
    for (let look = 0; look < MOST_LOOKS && !isAlive(latest); look += 1) await sleep(LOOK_MS)
    await latest.running.firstLine
    isStopping = true
    latest.running.child.kill('SIGINT')
    await keeping
    const { exitCode, signal } = await latest.ended
    if (exitCode !== 0) violations.push(`serve: stopped, it ended with ${exitCode ?? signal}`)
  }
}

function isAlive({ running: { child } }: Started): boolean {
  return child.exitCode === null && child.signalCode === null
}
