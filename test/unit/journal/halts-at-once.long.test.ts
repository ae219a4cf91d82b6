// People halt and resume at the same moment, and a breaker trips beside them. Every order of their reads and writes is
// tried, each with one write whose answer is lost. The simulation writes the switches itself, so only this test covers
// their own writes.
import { expect, test } from 'vitest'
import { asNotVerified, personOf } from '../../../core/contract/person.ts'
import { ResumedBy } from '../../../core/contract/service-settings.ts'
import { errorName } from '../../../core/error-name.ts'
import { Transient } from '../../../core/errors.ts'
import { createHalts, type Halt, type Halts } from '../../../core/journal/halts.ts'
import type { RecordStore, StoredRecord, WriteOutcome } from '../../../core/journal/record-store.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const SCOPE = 'core'
const halted = (by: string): Halt => ({ scope: SCOPE, by, because: 'an alarm', at: '2026-01-31T09:00:00Z' })
const naming = ({ by, trip }: Halt) => (trip === undefined ? by : `trip ${trip}`)

/** The act of one person or breaker, and what they learnt. */
interface Deed {
  readonly kind: 'halt' | 'trip' | 'resume'
  readonly name: string
  readonly act: (halts: Halts) => Promise<void>
}
const halt = (name: string): Deed => ({
  ...{ kind: 'halt', name },
  act: async (halts) => void (await halts.halt(halted(name))),
})
const trip: Deed = {
  ...{ kind: 'trip', name: 'breaker' },
  act: async (halts) => void (await halts.trip(halted('breaker'))),
}
/** Lifts what they have read, and nothing else. */
const resume = (name: string): Deed => ({
  ...{ kind: 'resume', name },
  async act(halts) {
    const read = await halts.findOf(SCOPE)
    if (read.length > 0) await halts.resume(halted(name), read)
  },
})

interface Course {
  /** The number of options of each choice. */
  readonly widths: readonly number[]
  readonly violations: readonly string[]
}

interface Waiting {
  readonly isWrite: boolean
  /** `isHeard`: whether its answer arrives. */
  readonly go: (isHeard: boolean) => void
}

const ALONE = 'one person alone lifted'

const settled = () => new Promise((resolve) => setImmediate(resolve))

interface Rule {
  readonly resumedBy?: ResumedBy
}
const ANYBODY: Rule = {}
const TWO_PEOPLE: Rule = { resumedBy: ResumedBy.TwoPeople }

/** One course of all concurrent acts. `choices` says which request is served next, and whether its answer arrives. */
async function follow(
  before: readonly Deed[],
  deeds: readonly Deed[],
  choices: readonly number[],
  { resumedBy }: Rule,
): Promise<Course> {
  const memory = createMemoryStore()
  let stamps = 0
  const newId = () => `stamp-${++stamps}`
  /** Who has resumed each halt. */
  const said = new Map<string, Set<string>>()
  const madeWith = (store: RecordStore): Halts => {
    const halts = createHalts(store, newId, { resumedBy })
    return {
      ...halts,
      resume(word, only = []) {
        for (const each of only.map(naming)) said.set(each, (said.get(each) ?? new Set()).add(personOf(word.by)))
        return halts.resume(word, only)
      },
    }
  }
  for (const deed of before) await deed.act(madeWith(memory))

  const waiting: Waiting[] = []
  const violations: string[] = []
  const read: (readonly string[])[] = deeds.map(() => [])
  const told: (boolean | undefined)[] = deeds.map(() => undefined)
  const inForce = async () => (await createHalts(memory, newId).findOf(SCOPE)).map(naming)

  function storeOf({ kind, name }: Deed, actor: number): RecordStore {
    const served = <T>(isWrite: boolean, perform: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        const go = (isHeard: boolean) =>
          void perform().then((answer) => (isHeard ? resolve(answer) : reject(new Transient('no answer'))))
        waiting.push({ isWrite, go })
      })
    const written = async (put: () => Promise<WriteOutcome>) => {
      const halts = await inForce()
      const outcome = await put()
      const left = await inForce()
      const unread = halts.filter((each) => !left.includes(each) && !read[actor]?.includes(each))
      if (kind === 'resume') violations.push(...unread.map((each) => `${name} lifted ${each} unread`))
      const lifted = halts.filter((each) => !left.includes(each))
      const isByOne = (each: string) => resumedBy === ResumedBy.TwoPeople && (said.get(each)?.size ?? 0) < 2
      if (kind === 'resume') violations.push(...lifted.filter(isByOne).map((each) => `${ALONE} ${each}`))
      return outcome
    }
    return {
      read: (pk) => served(false, () => memory.read(pk)),
      create: (record: StoredRecord) => served(true, () => written(() => memory.create(record))),
      replace: (record, version) => served(true, () => written(() => memory.replace(record, version))),
    }
  }

  deeds.forEach((deed, actor) => {
    const halts = madeWith(storeOf(deed, actor))
    const noted: Halts = {
      ...halts,
      async findOf(scope) {
        const found = await halts.findOf(scope)
        read[actor] = found.map(naming)
        return found
      },
    }
    deed.act(noted).then(
      async () => {
        told[actor] = true
        const hasTrip = (await inForce()).some((each) => each.startsWith('trip'))
        if (deed.kind === 'trip' && !hasTrip) violations.push('a breaker was told of a trip that is in force no more')
      },
      (error: unknown) => {
        told[actor] = false
        if (!['Refused', 'Transient'].includes(errorName(error))) violations.push(`${deed.name}: ${String(error)}`)
      },
    )
  })

  const widths: number[] = []
  const held = new Set<string>(await inForce())
  let isFaultLeft = true
  await settled()
  while (waiting.length > 0) {
    const ways = waiting.flatMap((each) =>
      each.isWrite && isFaultLeft
        ? [
            { each, isHeard: true },
            { each, isHeard: false },
          ]
        : [{ each, isHeard: true }],
    )
    const way = ways[choices[widths.length] ?? 0]
    if (way === undefined) throw new TypeError('no such way')
    widths.push(ways.length)
    if (!way.isHeard) isFaultLeft = false
    waiting.splice(waiting.indexOf(way.each), 1)
    way.each.go(way.isHeard)
    await settled()
    for (const each of await inForce()) held.add(each)
  }

  deeds.forEach(({ kind, name }, actor) => {
    if (kind === 'halt' && isFaultLeft && told[actor] !== true) violations.push(`${name} could not halt`)
    if (kind === 'halt' && told[actor] === true && !held.has(name)) violations.push(`${name}: what was told never was`)
  })
  return { widths, violations }
}

const MOST_COURSES = 200_000

async function followAll(
  before: readonly Deed[],
  deeds: readonly Deed[],
  rule = ANYBODY,
): Promise<Course & { courses: number }> {
  let choices: number[] = []
  for (let courses = 1; courses <= MOST_COURSES; courses += 1) {
    const course = await follow(before, deeds, choices, rule)
    if (course.violations.length > 0) return { ...course, courses }
    choices = course.widths.map((_, at) => choices[at] ?? 0)
    while (choices.length > 0 && (choices.at(-1) ?? 0) + 1 >= (course.widths[choices.length - 1] ?? 0)) choices.pop()
    if (choices.length === 0) return { ...course, courses }
    choices.push((choices.pop() ?? 0) + 1)
  }
  throw new RangeError(`more than ${MOST_COURSES} courses`)
}

test.each([
  ['two people halt', [], [halt('ada'), halt('bob')]],
  ['three people halt', [], [halt('ada'), halt('bob'), halt('cyd')]],
  ['one halts while another resumes the halted part', [halt('eve')], [halt('ada'), resume('bob')]],
  ['two resume the same halt', [halt('eve')], [resume('ada'), resume('bob')]],
  ['one halts while a breaker trips', [], [halt('ada'), trip]],
  ['one halts while another resumes a trip', [trip], [halt('ada'), resume('bob')]],
  ['a breaker trips while one resumes the trip before', [trip], [trip, resume('bob')]],
  ['a breaker trips while one resumes a halt', [halt('eve')], [trip, resume('bob')]],
] as const)('%s: nobody lifts an unread halt, and every halt takes effect', async (_what, before, deeds) => {
  const { violations, courses } = await followAll(before, deeds)
  expect(violations).toEqual([])
  expect(courses).toBeGreaterThan(5)
})

const OF_TWO = [
  ['two people resume a halt', [halt('eve')], [resume('ada'), resume('bob')]],
  ['one person resumes by two names', [halt('eve')], [resume('ada'), resume(asNotVerified('role/Ada'))]],
  ['the second resumes while another halts', [halt('eve'), resume('ada')], [halt('cyd'), resume('bob')]],
  ['the second resumes a trip while the next one comes', [trip, resume('ada')], [trip, resume('bob')]],
  ['the second resumes a halt while a breaker trips', [halt('eve'), resume('ada')], [trip, resume('bob')]],
] as const

test.each(OF_TWO)('where two people must resume, %s: nobody lifts alone', async (_what, before, deeds) => {
  const { violations, courses } = await followAll(before, deeds, TWO_PEOPLE)
  expect(violations).toEqual([])
  expect(courses).toBeGreaterThan(5)
})
