// Tests the output of commands about halts: who halted what, why and since when, and how to resume, or that nothing is
// halted. The journal is real.
import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { createHalts } from '../../../core/journal/halts.ts'
import { trip } from '../../../core/runs/settle/breaker.ts'
import { writeAccountPin } from '../../../place/state/account-pin.ts'
import { builtInFolder, folderAt } from '../../../place/state/state-layout.ts'
import { makeKeptJournal } from '../../helpers/kept-journal.ts'
import { openTestConsole } from '../console/opened-console.ts'
import { SERVICE, useCommands } from './commands.ts'

const policies = {
  core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } },
  mix: { kind: 'rebalance', weights: { ETH: '1' }, was: 'blend' },
}
const AT = '2026-01-31T00:00:00.000Z'

const { file, write, place, run, json } = useCommands({}, 'test')
const awsDir = () => builtInFolder(file('state')).awsDir
beforeEach(async () => {
  const treasury = { service: SERVICE, policies }
  write('treasury.json', treasury)
  await makeKeptJournal(awsDir(), async () => undefined)
})

const by = (because: string) => ['--by', 'ada', '--because', because]

/** Trips the breaker as a run's own step does. */
function tripBreaker(policy: string): Promise<void> {
  return makeKeptJournal(awsDir(), (store) =>
    trip({ policy, runId: 'rb-1', because: '3 runs in a row did not settle' }, AT, {
      halts: createHalts(store, randomUUID),
      logTrip: () => undefined,
    }),
  )
}

test('a halt of everything needs a person: cases list says who halted, why, since when, and how to resume', async () => {
  expect(await run('cases', 'list')).toMatchObject({ exitCode: 0, stdout: '' })
  await run('halt', ...by('an audit'))
  const { exitCode, stdout, stderr } = await run('cases', 'list')
  expect(exitCode).toBe(3)
  expect(stdout).toMatch(/^everything {2}halt {2}halted\n {2}why +by ada \(not verified\) since 20\S+Z: an audit\n/)
  expect(stdout).toContain(`npx sluice resume ${place().join(' ')}`)
  expect(stderr).not.toContain('nothing needs a person')
  expect(stderr).toContain('halts, until a person resumes: 1')

  const { halts } = await json('cases', 'list')
  expect(halts).toMatchObject([{ scope: '*', by: 'ada (not verified)', because: 'an audit', breaker: false }])
  expect((await run('cases', 'list', '--csv')).stdout).toMatch(
    /\r\neverything,halt,halted,,by ada \(not verified\) since 20\S+Z: an audit,/,
  )

  await run('resume', ...by('done'))
  const after = await run('cases', 'list')
  expect(after).toMatchObject({ exitCode: 0, stdout: '' })
  expect(after.stderr).toContain('nothing needs a person')
})

test('a breaker that has tripped needs a person, also under the former name of its policy', async () => {
  await tripBreaker('core')
  await tripBreaker('blend')
  const { exitCode, stdout } = await run('cases', 'list')
  expect(exitCode).toBe(3)
  expect(stdout).toContain('policy core  halt  breaker tripped: halted\n')
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('3 runs in a row did not settle (run rb-1)')
  const { halts } = await json('cases', 'list')
  expect(halts).toMatchObject([
    { scope: 'blend', breaker: true, at: AT, resume: expect.stringContaining('resume --policy mix') },
    { scope: 'core', breaker: true, at: AT, resume: expect.stringContaining('resume --policy core') },
  ])
})

test('where nothing is halted, resume says so and changes nothing', async () => {
  expect(await run('resume', ...by('to be sure'))).toMatchObject({ exitCode: 0, stdout: 'nothing was halted\n' })
  expect(await json('resume', ...by('to be sure'))).toMatchObject({
    ...{ scope: '*', halted: false, wasHalted: false, stillHalted: [] },
  })
  const ofOne = await run('resume', '--policy', 'core', ...by('to be sure'))
  expect(ofOne).toMatchObject({ exitCode: 0, stdout: 'policy core was not halted by itself; nothing was changed\n' })
})

test('a resume says what else is halted, and how to resume that', async () => {
  await run('halt', ...by('an audit'))
  const one = await run('resume', '--policy', 'core', ...by('checked'))
  expect(one).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('was not halted by itself') })
  expect(one.stderr).toMatch(/^halted: everything, by ada \(not verified\) since 20\S+Z: an audit\n/)
  expect(one.stderr).toContain(`npx sluice resume ${place().join(' ')}\n`)

  await run('halt', '--policy', 'core', ...by('its prices'))
  const all = await run('resume', ...by('over'))
  expect(all).toMatchObject({ exitCode: 0, stdout: 'resumed: everything\n' })
  expect(all.stderr).toMatch(/^still halted: policy core, by ada \(not verified\) since 20\S+Z: its prices\n/)
  expect((await run('cases', 'list')).exitCode).toBe(3)
  const none = await run('resume', ...by('again'))
  expect(none.stdout).toBe('there was no halt of everything; nothing was changed\n')

  expect((await run('resume', '--policy', 'core', ...by('over'))).stdout).toBe('resumed: policy core\n')
  expect((await run('cases', 'list')).exitCode).toBe(0)
})

test('a second halt says who had halted before', async () => {
  await run('halt', ...by('an audit'))
  const again = await run('halt', ...by('another reason'))
  expect(again).toMatchObject({ exitCode: 0, stdout: 'halted: everything\n' })
  expect(again.stderr).toMatch(/^it was halted before: everything, by ada \(not verified\) since 20\S+Z: an audit\n/)
})

test('a halt without a service names the service of the directory that it has not halted, and how to halt it', async () => {
  const stateDir = file('state')
  const service = 'https://api.example.com'
  await makeKeptJournal(folderAt(stateDir, 'service').awsDir, async () => undefined)
  writeAccountPin(stateDir, { keys: ['svc_test_000000000001'], addresses: [service], newSince: AT })
  const { exitCode, stdout, stderr } = await run('halt', ...by('an emergency'))
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'halted: everything at the built-in sandbox\n' })
  expect(stderr).toContain(`NOT halted: ${service}`)
  expect(stderr).toMatch(
    /next: +npx sluice halt --because 'an emergency' --by ada --state .* --service https:\S+ --config/,
  )
  expect(await json('halt', ...by('an emergency'))).toMatchObject({ halted: true, notHalted: service })
  expect((await run('cases', 'list')).stderr).toContain(`not checked: ${service}`)

  const there = await run('halt', ...by('an emergency'), '--service', service)
  expect(there).toMatchObject({ exitCode: 0, stdout: 'halted: everything\n' })
  expect(there.stderr).not.toContain('NOT halted')
})

test('a halt is shown whether or not the list has it, even for a policy that is in no file', async () => {
  await makeKeptJournal(awsDir(), async (store) => {
    const halts = createHalts(store, randomUUID)
    await halts.halt({ scope: 'removed', by: 'ada', because: 'it goes', at: AT })
    await halts.halt({ scope: 'resumed', by: 'ada', because: 'a test', at: AT })
    await halts.resume({ scope: 'resumed', by: 'ada', because: 'done', at: AT })
    // The state of a lagging index: not yet in the list.
    const before = { version: 1, stamp: 'before', format: 1, halted: true, by: 'ada', because: 'before', at: AT }
    for (const scope of ['*', 'core', 'blend']) await store.create({ pk: `H#${scope}`, ...before })
    // The state right after a resume: still in the list.
    await store.create({ pk: 'H#stale', ...before, halted: false, listed: 'HALTS' })
  })
  const { halts } = await json('cases', 'list')
  expect(halts.map(({ scope }: { scope: string }) => scope)).toEqual(['*', 'blend', 'core', 'removed'])
})

test('a halt of a person and a trip of the same policy are both shown, and resume lifts both', async () => {
  await tripBreaker('core')
  await run('halt', '--policy', 'core', ...by('I look into it'))
  expect((await json('cases', 'list')).halts).toMatchObject([
    { scope: 'core', breaker: true, trip: 1 },
    { scope: 'core', by: 'ada (not verified)', breaker: false },
  ])
  expect(await run('resume', '--policy', 'core', ...by('done'))).toMatchObject({ exitCode: 0 })
  expect((await json('cases', 'list')).halts).toEqual([])
})

describe('where two people must resume', () => {
  beforeEach(() => {
    const treasury = { service: SERVICE, policies, resumedBy: 'two-people' }
    write('treasury.json', treasury)
  })
  const as = (name: string) => ['--by', name, '--because', 'checked']

  test('the first learns that another must resume, by exit code 4 too, and the second lifts the halt', async () => {
    await run('halt', ...by('an audit'))
    const first = await run('resume', ...as('ada'))
    expect(first).toMatchObject({
      ...{ exitCode: 4, stdout: 'everything stays halted: another person must resume it too, within 24 hours\n' },
    })
    expect(first.stderr).toContain('still halted: everything')
    expect(JSON.parse((await run('resume', ...as('Ada'), '--json')).stdout)).toMatchObject({
      ...{ halted: true, wasHalted: true, waitsForAnother: true, stillHalted: [{ scope: '*' }] },
    })
    const shown = await run('cases', 'list')
    expect(shown.exitCode).toBe(3)
    expect(shown.stdout).toMatch(
      /; Ada \(not verified\) resumes it since 2\S+Z: checked; another person must resume it too, before 2/,
    )
    expect(JSON.parse((await run('cases', 'list', '--json')).stdout)).toMatchObject({
      halts: [{ scope: '*', firstWord: { by: 'Ada (not verified)', because: 'checked', until: expect.any(String) } }],
    })
    expect(await run('resume', ...as('bob'))).toMatchObject({ exitCode: 0, stdout: 'resumed: everything\n' })
    expect((await run('cases', 'list')).exitCode).toBe(0)
  })

  test('the console shows the first resume where the second person resumes', async () => {
    const { ask, enter } = await openTestConsole({
      state: file('state'),
      config: file('treasury.json'),
    })
    const cookie = await enter()
    const page = async () => (await ask('/halt', { headers: { cookie } })).body
    await run('halt', ...by('an audit'))
    expect(await page()).not.toContain('resumes it')
    await run('resume', ...as('ada'))
    expect(await page()).toMatch(/ada \(not verified\) resumes it since .*: checked\. Missing: another person/)
  })

  test('resume --all waits for another person too', async () => {
    await tripBreaker('core')
    expect(await run('resume', '--all', '--yes', ...as('ada'))).toMatchObject({
      ...{ exitCode: 4, stdout: expect.stringMatching(/^policy core stays halted: another person/) },
    })
    expect(await run('resume', '--all', '--yes', ...as('bob'))).toMatchObject({
      ...{ exitCode: 0, stdout: 'resumed: policy core\n' },
    })
  })
})

describe('resume --all', () => {
  /** Trips the breaker as a run after a fall of prices does. */
  const fell = (policy: string) =>
    makeKeptJournal(awsDir(), (store) =>
      trip(
        {
          policy,
          runId: 'rb-2',
          because: 'what is held fell by 50 of 100 USDC since the last run, by more than 100 bps',
        },
        AT,
        { halts: createHalts(store, randomUUID), logTrip: () => undefined },
      ),
    )

  test('lifts every breaker that tripped over runs, says why each had tripped, and leaves other halts', async () => {
    await tripBreaker('core')
    await tripBreaker('blend')
    await fell('mix')
    await run('halt', ...by('an audit'))
    expect((await run('cases', 'list')).stderr).toMatch(/next: .* resume --all/)
    const { exitCode, stdout, stderr } = await run('resume', '--all', '--yes', ...by('the service is back'))
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'resumed: policy blend\nresumed: policy core\n' })
    expect(stderr).toContain(
      `to resume: policy core, by the breaker since ${AT}: 3 runs in a row did not settle (run rb-1)`,
    )
    expect(stderr).toContain('stays halted: policy mix, by the breaker')
    expect(stderr).toMatch(/still halted: everything, by ada \(not verified\) since \S+: an audit/)
    expect(stderr).toContain('add --halts')
    expect((await json('cases', 'list')).halts.map(({ scope }: { scope: string }) => scope)).toEqual(['mix', '*'])

    const all = await run('resume', '--all', '--halts', '--yes', ...by('all is well'), '--json')
    expect(JSON.parse(all.stdout)).toMatchObject({
      resumed: [{ scope: 'mix' }, { scope: '*' }],
      failed: [],
      stillHalted: [],
    })
    expect(await run('resume', '--all', '--yes', ...by('again'))).toMatchObject({
      exitCode: 0,
      stdout: 'nothing was resumed\n',
    })
  })

  test('asks first: without a yes nothing is lifted, and the halts are shown', async () => {
    await tripBreaker('core')
    const { exitCode, stderr } = await run('resume', '--all', ...by('the service is back'))
    expect(exitCode).toBe(2)
    expect(stderr.match(/to resume: policy core/g)).toHaveLength(1)
    expect(stderr).toContain(`--yes: expected consent to resume policy core (halted ${AT})?`)
    expect((await json('cases', 'list')).halts).toHaveLength(1)
  })

  test('refuses a policy beside it, and --halts alone', async () => {
    expect(await run('resume', '--all', '--policy', 'core')).toMatchObject({ exitCode: 2 })
    expect(await run('resume', '--halts')).toMatchObject({ exitCode: 2 })
  })

  test('a halt that changed meanwhile is not lifted', async () => {
    await tripBreaker('core')
    await makeKeptJournal(awsDir(), async (store) => {
      const halts = createHalts(store, randomUUID)
      const word = { scope: 'core', by: 'ada', because: 'I look into it', at: AT }
      await halts.halt({ ...word, because: 'an audit' })
      const [tripped, seen] = (await halts.findOf('core')).toReversed()
      if (seen === undefined) throw new Error('nothing is halted')
      await halts.halt(word)
      await expect(halts.resume({ ...word, because: 'back' }, [seen])).rejects.toThrow('somebody else changed')
      expect(await halts.findOf('core')).toEqual([word, tripped])
    })
  })
})
