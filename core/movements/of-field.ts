// Names the input field in a refusal. The service names its own parameter, but a person gave the value in a field of another
// name.
import { Refused } from '../errors.ts'

/** `read` asks the service for the value of `field`. @throws Refused with the field's name; otherwise whatever `read` throws */
export async function namingField<Found>(field: string, read: Promise<Found>): Promise<Found> {
  try {
    return await read
  } catch (error) {
    if (error instanceof Refused) throw new Refused(`input.${field}: ${error.message}`, { cause: error })
    throw error
  }
}
