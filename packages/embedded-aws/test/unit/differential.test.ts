// Compares our interpreter with another interpreter, aws-local-stepfunctions, on random definitions. The definitions
// use only the part of the language that the other implements correctly; each omission names its reason.
import { StateMachine } from 'aws-local-stepfunctions'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseDefinition } from '../../states/definition-store.ts'
import type { Json } from '../../states/json.ts'
import { findingsOf } from './asl-validator.ts'
import { functionArn, interpret } from './interpreted.ts'

const INPUT = { a: { b: { c: 1 }, s: 'x' }, list: [{ n: 1 }, 'two'], n: 3, s: 'text', yes: true, none: null }

/** Paths that exist in the input. After a few states they often have no value. */
const path = fc.constantFrom('$', '$.a', '$.a.b', '$.a.b.c', '$.list[0]', "$['list'][1]", '$.n', '$.s', '$.r', '$.r.x')
// The other interpreter writes a field called `$` for ResultPath "$".
const resultPath = fc.constantFrom('$.r', '$.a.r', '$.new.deep', null)
const value = fc.constantFrom<Json>(null, true, 0, -1.5, '', 'x', [], {}, [{ n: 1 }], { b: { c: 2 }, list: ['y'] })

// The other interpreter's States.JsonToString loses the backslashes of inner quotes.
const template = fc.record(
  {
    'x.$': path,
    'text.$': fc.constantFrom("States.Format('{}-{}', $.n, $.s)", 'States.Array($.n, $.s)'),
    fixed: value,
    inner: fc.record({ 'y.$': path }),
  },
  { requiredKeys: [] },
)
/** Usually the whole input, so that most chains reach their end. */
const selection = fc.oneof({ weight: 5, arbitrary: fc.constant('$') }, { weight: 1, arbitrary: path })
const data = { InputPath: selection, OutputPath: selection, ResultPath: resultPath, Parameters: template }

// The other interpreter ignores a Result of null, false, 0 or ''.
const result = value.filter(Boolean)
const pass = fc.record({ ...data, Result: result }, { requiredKeys: [] }).map((fields) => ({ Type: 'Pass', ...fields }))
const task = fc
  .record(
    { ...data, ResultSelector: fc.record({ 'kept.$': fc.constantFrom('$', '$.given', '$.size') }) },
    { requiredKeys: [] },
  )
  .map((fields) => ({ Type: 'Task', Resource: functionArn('work'), ...fields }))
const wait = fc.constant({ Type: 'Wait', Seconds: 0 })

const comparison = fc.oneof(
  fc.record({ Variable: path, NumericGreaterThan: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ Variable: path, StringEquals: fc.constantFrom('x', 'text') }),
  fc.record({ Variable: path, IsString: fc.constant(true) }),
  fc.record({ Variable: path, IsNumeric: fc.constant(true) }),
  // In the other interpreter, a type test against false never matches, and StringMatches fails unless the value is a
  // string.
  fc.record({ Variable: path, IsPresent: fc.constant(true) }),
)
const rule = fc.oneof(
  comparison,
  fc.record({ And: fc.array(comparison, { minLength: 1, maxLength: 2 }) }),
  fc.record({ Or: fc.array(comparison, { minLength: 1, maxLength: 2 }) }),
  fc.record({ Not: comparison }),
)
const choice = fc.array(rule, { minLength: 1, maxLength: 2 }).map((rules) => ({ Type: 'Choice', Choices: rules }))

/** A chain of states. A Choice skips one state if a rule matches. */
const definition = fc.array(fc.oneof(pass, task, wait, choice), { minLength: 1, maxLength: 5 }).map((states) => {
  const name = (index: number) => (index < states.length ? `S${index}` : `End${index - states.length}`)
  const entries = states.map((state, index) => {
    if (!('Choices' in state)) return [name(index), { ...state, Next: name(index + 1) }]
    const Choices = state.Choices.map((rule) => ({ ...rule, Next: name(index + 2) }))
    return [name(index), { Type: 'Choice', Choices, Default: name(index + 1) }]
  })
  const ends = { End0: { Type: 'Pass', Next: 'End1' }, End1: { Type: 'Succeed' } }
  return { StartAt: 'S0', States: copy({ ...Object.fromEntries(entries), ...ends }) as object }
})

const work = (input: Json) => ({ given: input, size: JSON.stringify(input).length })

async function ours(machine: object): Promise<Json> {
  const run = await interpret(machine, INPUT, { functions: { work } })
  return run.status === 'SUCCEEDED' ? { output: run.output as Json } : 'failed'
}

async function theirs(machine: { readonly States: object }): Promise<Json> {
  const handlers = Object.fromEntries(
    Object.keys(machine.States).map((name) => [name, async (input: Json) => copy(work(input))]),
  )
  const other = new StateMachine(machine as never, { validationOptions: { noValidate: true } })
  const { result } = other.run(copy(INPUT) as never, { overrides: { taskResourceLocalHandlers: handlers as never } })
  try {
    return { output: copy((await result) as Json) }
  } catch {
    return 'failed'
  }
}

/** The other interpreter passes the same objects on and would change them. */
function copy(json: Json): Json {
  return JSON.parse(JSON.stringify(json)) as Json
}

test('random chains of Pass, Task, Wait and Choice end as in another interpreter', async () => {
  await fc.assert(
    fc.asyncProperty(definition, async (machine) => {
      expect(await ours(machine)).toEqual(await theirs(machine))
    }),
    { numRuns: 300 },
  )
})

// asl-validator reads its schemas again for each call, which takes 0.1 s: hence 4 runs. Each seed draws other
// definitions.
test('a definition that is accepted here is accepted by asl-validator too', () => {
  fc.assert(
    fc.property(definition, (machine) => {
      expect(() => parseDefinition(JSON.stringify(machine), 'Chain')).not.toThrow()
      expect(findingsOf(machine)).toEqual([])
    }),
    { numRuns: 4 },
  )
})
