// Reads a function's environment, as infra sets it. Says which variable is wrong and what belongs there.
import * as z from 'zod/mini'
import { Environment } from '../../contract/environment.ts'
import { type Timing, timing } from '../../contract/timing.ts'
import { type Stage, treasury } from '../../contract/treasury.ts'
import { Defect } from '../errors.ts'
import type { KeyRole } from '../keys/key-material.ts'

type Variables = Readonly<Record<string, string | undefined>>

const service = treasury.shape.service.shape
const keyRole = z.enum(['read', 'trade', 'transfer'], 'read, trade or transfer')
const present = z.string().check(z.minLength(1, 'a value'))

export const readJournalTable = (env: Variables): string => readVariable(env, Environment.JournalTable, present)
export const readServiceUrl = (env: Variables): string => readVariable(env, Environment.ServiceUrl, service.url)
export const readStage = (env: Variables): Stage => readVariable(env, Environment.Stage, service.stage)
export const readKeySecret = (env: Variables): string => readVariable(env, Environment.KeySecret, present)
export const readKeyRole = (env: Variables): KeyRole => readVariable(env, Environment.KeyRole, keyRole)
export const readTiming = (env: Variables): Timing => readVariable(env, Environment.Timing, jsonOf(timing))

/** @throws Defect naming the variable and what is expected of it; never its value. */
function readVariable<Schema extends z.ZodMiniType>(env: Variables, name: string, schema: Schema): z.output<Schema> {
  const parsed = schema.safeParse(env[name])
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const place = [name, ...(issue?.path ?? []).map(String)].join('.')
  throw new Defect(
    `environment ${place}: expected ${issue?.message ?? 'another value'}; deploy again from treasury.json`,
  )
}

function jsonOf<Schema extends z.ZodMiniType>(schema: Schema) {
  const text = z.pipe(
    z.string('JSON'),
    z.transform((value, context) => {
      try {
        return JSON.parse(value) as z.input<Schema>
      } catch {
        context.issues.push({ code: 'custom', message: 'JSON', input: undefined })
        return z.NEVER
      }
    }),
  )
  return z.pipe(text, schema)
}
