// Tells beside a plan what its policy names and the service does not have, with the place in treasury.json: the
// plan itself says only what follows from it.
import type { Policy } from '../../core/contract/policies.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { policyChecks } from '../doctor/policy-checks.ts'
import type { NamedService } from '../target/named-service.ts'
import { withConnection } from '../target/service/service-connection.ts'
import type { CommandContext } from '../terminal/context.ts'
import { printable } from '../terminal/table.ts'

/** Reads only; what cannot be read is told like a misfit, as the plan will tell more of it. */
export async function noteMisfits(
  name: string,
  policy: Policy,
  { guards }: Treasury,
  { url: baseUrl, readingKey: key }: NamedService,
  { output, clock }: Pick<CommandContext, 'output' | 'clock'>,
): Promise<void> {
  const checks = await withConnection({ baseUrl, key, clock }, (client) =>
    policyChecks({ policies: { [name]: policy }, guards }, client),
  )
  for (const { status, check, detail, next } of checks) {
    if (status !== 'ok') output.note(`${status}  ${check}: ${printable(detail)} → ${printable(next ?? '')}`)
  }
}
