// Reads a state machine's definition and checks it whole, once: what passes here is run as AWS
// runs it, everything else is refused with machine, state and field.
// Source: Amazon States Language (states-language.net), JSONPath mode.
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Definition, State } from './definition.ts'
import { parseState } from './parse-state.ts'

/** `text` is the resolved definition as JSON; `machine` names it in refusals. Throws Refusal. */
export function parseDefinition(text: string, machine: string): Definition {
  const where = `state machine ${machine}`
  const fields = new Fields(parseJson(text, where), where)
  const startAt = fields.text('StartAt')
  const timeoutSeconds = fields.findWhole('TimeoutSeconds', 1, 99_999_999)
  fields.ignore(['Comment'])
  requireValue(fields, 'Version', '1.0')
  requireValue(fields, 'QueryLanguage', 'JSONPath')
  const inner = fields.object('States')
  fields.close()

  const states = new Map(
    inner.names().map((name) => [name, parseState(name, inner.raw(name), `${where}, state ${name}`)]),
  )
  if (!states.has(startAt)) throw fields.refuse('StartAt', `names no state: ${startAt}`)
  checkTransitions(states, startAt, where)
  return { startAt, states, timeoutSeconds }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(where, 'its definition is not JSON')
  }
}

function requireValue(fields: Fields, name: string, only: string): void {
  const value = fields.findText(name) ?? only
  if (value !== only) throw fields.refuse(name, `only ${only} is supported`)
}

/** AWS refuses a transition to nowhere and a state that nothing leads to. */
function checkTransitions(states: ReadonlyMap<string, State>, startAt: string, where: string): void {
  const reached = new Set([startAt])
  for (const name of reached) {
    const state = states.get(name)
    if (state === undefined) throw new Refusal(where, `a transition leads to ${name}, which is no state`)
    for (const target of targetsOf(state)) reached.add(target)
  }
  const lost = [...states.keys()].find((name) => !reached.has(name))
  if (lost !== undefined) throw new Refusal(`${where}, state ${lost}`, 'no transition leads here')
}

function targetsOf(state: State): readonly string[] {
  switch (state.type) {
    case 'Task':
      return [...state.catch.map((catcher) => catcher.next), ...found(state.next)]
    case 'Choice':
      return [...state.choices.map((choice) => choice.next), ...found(state.otherwise)]
    case 'Pass':
    case 'Wait':
      return found(state.next)
    case 'Succeed':
    case 'Fail':
      return []
  }
}

function found(next: string | undefined): readonly string[] {
  return next === undefined ? [] : [next]
}
