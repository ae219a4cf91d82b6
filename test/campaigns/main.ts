// `npm run campaign`: plays worlds in which whole processes run and fail, and prints what broke a promise, what happened, and
// how to play it again.

import type { CampaignWorld } from './campaign.ts'
import { type Flags, findingText, runInOwnProcess, runProgram } from './program.ts'
import { profileOf } from './service-profile.ts'
import { WORLDS } from './worlds.ts'

const NAMES = WORLDS.map(({ name }) => name)
const LONGEST_NAME = Math.max(...NAMES.map(({ length }) => length))
const LARGEST = 1_000_000

const HELP = `Example:
  npm run campaign -- --world threads --size 200 --seed 1
  npm run campaign -- --world commands --size 100 --profile hostile

Plays what only whole processes can show: the shipped bundles, the embedded AWS, the command line, the disk. The sandbox's
books, the journal and the commands' own words must agree: each intent is one movement or a certified zero.

  --world NAME    which one, or all
  --size N        how much of it (default: as below)
  --seed S        a whole number (default: by chance)
  --seeds K       so many seeds from there on (default: 1)
  --profile NAME  how untidy the sandbox is, such as hostile (not in worlds of days)
  --keep FILE     worlds of days write there what happened, as JSON, and what functions logged beside it

Worlds:
${WORLDS.map(({ name, says, size }) => `  ${name.padEnd(LONGEST_NAME)}  ${says} (${size.of}: ${size.usual})`).join('\n')}

A seed gives the same plan. Threads, sockets and processes take turns as they like.
Exit codes: 0 no promise was broken; 1 one was, or too little happened; 2 wrong usage.`

const PROGRAM = {
  help: HELP,
  count: { name: 'seeds', default: 1, most: 1_000 },
  texts: ['world', 'size', 'profile', 'keep'],
}

async function play(flags: Flags): Promise<boolean> {
  const named = flags.oneOf('world', ['all', ...NAMES]) ?? 'threads'
  const profile = profileOf(flags)
  const worlds = WORLDS.filter(({ name, isBroken }) => (named === 'all' ? isBroken !== true : name === named))
  const [only] = worlds
  if (only !== undefined && worlds.length === 1 && flags.count === 1) {
    const size = flags.whole('size', 1, only.size.most) ?? only.size.usual
    return playOne(only, { size, seed: flags.seed, profile, keep: flags.text('keep') })
  }
  const size = flags.whole('size', 1, LARGEST)
  const given = [
    ...(size === undefined ? [] : ['--size', String(size)]),
    ...(profile === undefined ? [] : ['--profile', profile]),
  ]
  const failed: string[] = []
  for (let seed = flags.seed; seed < flags.seed + flags.count; seed += 1) {
    for (const { name } of worlds) {
      // Virtual time rules a whole process.
      const args = ['--world', name, '--seed', String(seed), ...given]
      const { code, text } = await runInOwnProcess(import.meta.filename, args)
      console.log(text.trimEnd())
      if (code !== 0) failed.push(`${name} ${seed}`)
    }
  }
  console.log(failed.length === 0 ? 'no promise was broken' : `broken in ${failed.join(', ')}`)
  return failed.length === 0
}

async function playOne(
  { name, play: playWorld, size: { of } }: CampaignWorld,
  given: Parameters<CampaignWorld['play']>[0],
): Promise<boolean> {
  const { size, seed, profile } = given
  const startedMs = performance.now()
  console.log(`world ${name}, ${of} ${size}, seed ${seed}`)
  const { violations, facts } = await playWorld(given)
  for (const fact of facts) console.log(fact)
  const again = `campaign -- --world ${name} --size ${size} --seed ${seed}${profile === undefined ? '' : ` --profile ${profile}`}`
  if (violations.length > 0) console.log(findingText(`${name}, seed ${seed}`, violations, again))
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
  console.log(`violations ${violations.length}, in ${seconds} s`)
  return violations.length === 0
}

process.exitCode = await runProgram(PROGRAM, play)
