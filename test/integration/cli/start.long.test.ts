// Tests `sluice start`: the tour, several times on one state directory, and the commands that show it while it runs.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { runTour } from '../../../cli/start/tour.ts'
import type { CommandContext } from '../../../cli/terminal/context.ts'
import { createOutput } from '../../../cli/terminal/output.ts'
import { systemClock } from '../../../core/clock.ts'
import { readActFilter } from '../../../operations/people/filter.ts'
import { type ActSources, walkActs } from '../../../operations/people/walk-acts.ts'
import { findDesk } from '../../../place/desk/desk-file.ts'
import { fittingDesk } from '../../../place/desk/join-desk.ts'
import { ExitCode } from '../../../place/exit-code.ts'
import { withJournalConnection } from '../../../place/journal-connection.ts'
import { folderOfFile } from '../../helpers/folders.ts'
import { runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { recorded } from '../../unit/cli/terminal/recorded-stream.ts'
import { startSluice } from './command-line.ts'

const state = folderOfFile()

const start = (...args: string[]) => startSluice(['start', '--state', state, ...args])
const beside = (...words: string[]) => runInProcess([...words, '--state', state])

test('the tour runs three policies through the faults of the service, and ties out', async () => {
  const { exitCode, stdout, stderr } = await start().ended
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).not.toContain('minutes')
  expect(stdout).toMatch(/^balanced +sell-EUR-USD +FILLED +[0-9.]+ +EUR +[0-9.]+ +USD /m)
  expect(stdout).toMatch(/^balanced +buy-SOL-USD +FILLED +[0-9.]+ +USD +[0-9.]+ +SOL /m)
  expect(stdout).toMatch(/^balanced +buy-NVDASPV-USD +FILLED /m)
  expect(stdout).toMatch(/^payout +[a-z0-9]+-withdraw-USDC +COMPLETED +10000 +USDC +[0-9.]+ +USDC +4 /m)
  expect(stdout).toMatch(/^arrivals +sell-ETH-BTC +FILLED +1\.5 +ETH /m)
  expect(stdout).toMatch(/\ntie-out: 5 of 5: [^\n]+\n$/)
  expect(stderr).toMatch(
    /Order +\[[a-z]+ \d\] nothing moved: the quote was too old to send; attempt 2 asks for another quote/,
  )
  const [, answered202] = /sandbox +met: one order is answered 202 \(.* answered 202, order (\S+) is/.exec(stderr) ?? []
  const [, lost] = /sandbox +met: one answer is lost on its way \(.* not answered, order (\S+) is/.exec(stderr) ?? []
  expect(stderr).toMatch(/sandbox +met: one quote comes expired \(POST \/v2\/quotes answered 201\)\n/)
  // Two of the movements that tie out.
  expect(new Set([answered202, lost]).size).toBe(2)
  for (const orderId of [answered202, lost]) expect(stdout).toContain(`  ${orderId}  =  intent `)
  const pages = [...stderr.matchAll(/^ {2}(.*\.html)$/gm)].map(([, file]) => readFileSync(file as string, 'utf8'))
  for (const page of pages) expect(page).toContain('SETTLED')
  for (const sentence of ['This attempt moved nothing: the quote was too old to send', 'No answer came'])
    expect(pages.join()).toContain(sentence)
  expect(stderr.match(/\.html$/gm)).toHaveLength(3)
  expect(stderr.match(/\.proof$/gm)).toHaveLength(3)
  expect(stderr).toMatch(
    /\nnext: {2}.*npx sluice setup init .*\n.*npx sluice plan balanced .*\n.*npx sluice proof check .*\n.*npm run check\n$/,
  )
  expect(stdout + stderr).not.toContain('\u001b')
})

test('a killed tour leaves nothing to clean up by hand', async () => {
  const killed = start()
  await killed.seen(/leg +\[/)
  killed.child.kill('SIGKILL')
  await killed.ended
  const { exitCode, stdout, stderr } = await start('--json').ended
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  const { runs, mishaps, tieOut, pages } = JSON.parse(stdout)
  expect(mishaps.map(({ kind }: Record<string, string>) => kind).sort()).toEqual([
    'dropAfterCommit',
    'expireQuote',
    'settleLater',
  ])
  expect(tieOut).toEqual({ tied: 5, of: 5, findings: [] })
  expect(runs.map(({ policy, outcome }: Record<string, string>) => [policy, outcome])).toEqual([
    ['balanced', 'SETTLED'],
    ['payout', 'SETTLED'],
    ['arrivals', 'SETTLED'],
  ])
  expect(pages).toHaveLength(3)
})

function tourContext(): CommandContext {
  const [stdout, stderr] = [recorded(), recorded()]
  return {
    argv: [],
    variables: { USER: 'ada' },
    stdin: Readable.from([]),
    stdout,
    output: createOutput({ stdout, stderr, json: true, term: undefined }),
    clock: systemClock,
    catchInterruption: () => new AbortController().signal,
  }
}

/** The person and the policy of each act in the log of people of the running tour. */
function actsOfTour(): Promise<unknown[]> {
  const onBroken = (broken: object) => expect.fail(JSON.stringify(broken))
  const read = async (journal: ActSources['journal']) => {
    const acts: unknown[] = []
    for await (const { by, did, policy } of walkActs({ journal, nowMs: Date.now(), onBroken }, readActFilter({})))
      acts.push([by, did, policy])
    return acts.sort()
  }
  return withJournalConnection({ state }, tourContext(), read, { showsTour: true })
}

test('lists of movements and cases, and proof make, show the tour while it runs, without waiting', async () => {
  const held = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const touring = runTour({ state }, tourContext(), {
    whenEnded: () => {
      ended.resolve()
      return held.promise
    },
  })
  try {
    // A tour that fails earlier is reported as such.
    await Promise.race([ended.promise, touring])
    const listed = await beside('movements', 'list', '--json')
    expect(listed).toMatchObject({ exitCode: ExitCode.Done })
    const runs = JSON.parse(listed.stdout).asked.filter(({ kind }: Record<string, string>) => kind === 'run')
    expect(runs.map(({ id }: Record<string, string>) => id)).toHaveLength(3)
    // The event that asked for the third run is no person.
    expect(await actsOfTour()).toEqual([
      ['ada (not verified)', 'asked', 'arrivals'],
      ['ada (not verified)', 'asked', 'payout'],
    ])
    expect(JSON.parse((await beside('cases', 'list', '--json')).stdout)).toMatchObject({
      intents: [],
      runs: [],
      halts: [],
    })

    const proven = await beside('proof', 'make', runs[0].id)
    expect(proven.exitCode).toBe(ExitCode.Done)
    expect(proven.stdout).toContain(path.join(state, 'proofs', `${runs[0].id}.proof`))
    expect(proven.stderr).toContain(`(process ${process.pid}), which keeps nothing`)
    expect(proven.stderr).not.toContain('waiting')

    for (const words of [
      ['movements', 'show', runs[0].id],
      ['movements', 'show', runs[0].id, '--sentences'],
      ['runs', 'report', runs[0].id],
      ['runs', 'list', '--json'],
    ]) {
      const { exitCode, stdout } = await beside(...words)
      expect({ words, exitCode, isTold: stdout.includes(runs[0].id) }).toEqual({ words, exitCode: 0, isTold: true })
    }
    // Commands that halt, send or ask the service use lasting records.
    expect(fittingDesk(state, { service: undefined })).toBeUndefined()
    expect(fittingDesk(state, { service: undefined, sandbox: true })).toBeUndefined()
    expect(fittingDesk(state, { service: 'https://api.example.com', showsTour: true })).toBeUndefined()
  } finally {
    held.resolve()
  }
  expect(await touring).toBe(ExitCode.Done)
  expect(findDesk(state)).toBeUndefined()
})

test('a directory with records of its own is never shown as the tour: list waits until the tour ends', async () => {
  // A run with an unknown id ends before it moves anything, and leaves records.
  const input = path.join(state, 'input.json')
  writeFileSync(input, JSON.stringify({ assetSymbol: 'BTC', amount: '1', contactReference: 'nobody' }))
  expect((await beside('run', 'withdraw', '--id', 'own', '--input', input)).exitCode).toBe(ExitCode.Failed)
  const held = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const whenEnded = () => {
    ended.resolve()
    return held.promise
  }
  const touring = runTour({ state }, tourContext(), { whenEnded })
  try {
    await Promise.race([ended.promise, touring])
    const looking = startInProcess(['movements', 'list', '--state', state])
    await looking.seen(/waiting/)
    held.resolve()
    const { exitCode, stdout } = await looking.ended
    expect(exitCode).toBe(ExitCode.Done)
    expect(stdout).not.toContain('balanced')
  } finally {
    held.resolve()
  }
  expect(await touring).toBe(ExitCode.Done)
})

test.each(['hostile', 'slow', 'slow-work'])(
  'against a service that is %s, the tour says first that it takes minutes, and why',
  async (profile) => {
    const touring = start('--profile', profile)
    await touring.seen(/\n/)
    touring.child.kill('SIGKILL')
    const { stderr } = await touring.ended
    expect(stderr.split('\n')[0]).toMatch(
      new RegExp(`^ +0\\.\\ds +sandbox +${profile}: takes about three minutes, because `),
    )
  },
)

test('its help begins with an example, and a mistyped flag is answered with the nearest', async () => {
  expect((await start('--help').ended).stdout).toMatch(/^Example:\n {2}npx sluice start\n/)
  const mistaken = await start('--jsn').ended
  expect(mistaken).toMatchObject({ exitCode: 2, stdout: '' })
  expect(mistaken.stderr).toContain("error: unknown option '--jsn'; did you mean --json?")
})
