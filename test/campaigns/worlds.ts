// Lists the worlds of `npm run campaign`.
import type { CampaignWorld } from './campaign.ts'
import { DAYS } from './days/play-days.ts'
import { killDeskAndClients } from './kills/desk/desk-kills.ts'
import { failDisks } from './kills/disk/disk-faults.ts'
import { payUnderKills } from './kills/payout-kills.ts'
import { killWholeRuns } from './kills/whole-runs.ts'
import { flyThreads, MOST_CROWD } from './threads/fly.ts'

const KILLS = { of: 'kills', usual: 100, most: 10_000 }

const PROCESSES: readonly CampaignWorld[] = [
  {
    name: 'threads',
    says: 'the shipped bundles in threads that are killed and frozen, with calls that are dropped and refused',
    size: { of: 'plans', usual: 200, most: 100_000 },
    play: flyThreads,
  },
  {
    name: 'crowd',
    says: 'withdrawals of one asset at once, of which each twentieth answer is lost',
    size: { of: 'withdrawals', usual: 100, most: MOST_CROWD },
    play: ({ size, ...given }) => flyThreads({ ...given, size: 1, crowd: size }),
  },
  {
    name: 'commands',
    says: 'commands that are killed at any moment and given again, each with the whole desk in its process',
    size: KILLS,
    play: killWholeRuns,
  },
  {
    name: 'desk',
    says: 'a desk and four clients over one directory, all of which are killed',
    size: KILLS,
    play: killDeskAndClients,
  },
  {
    name: 'disk',
    says: 'commands and desks whose disk fails, is full, or loses its power (Linux with a C compiler)',
    size: KILLS,
    play: failDisks,
  },
  {
    name: 'long-file',
    says: 'a payout file with lost answers and three kills, given again and corrected',
    size: { of: 'rows', usual: 60, most: 1_995 },
    play: payUnderKills,
  },
]

export const WORLDS: readonly CampaignWorld[] = [...PROCESSES, ...DAYS]
