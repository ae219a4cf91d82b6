// Says of which field of the input a refusal is. The service names its own parameter: a person gave the value in a field
// of another name.
import { Refused } from '../errors.ts'

/** `read` asks the service for what the field names. @throws Refused that names the field; else what `read` throws */
export async function ofField<Found>(field: string, read: Promise<Found>): Promise<Found> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`input.${field}: ${error.message}`, { cause: error })
    throw error
  }
}
