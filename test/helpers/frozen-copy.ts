// Copies a record as DynamoDB would keep it: without undefined fields, and immutable. The product checks the form of a
// frozen record once, so a store may return the same object again.

export function frozenCopy<T>(value: T): T {
  // A frozen value came from here before.
  if (value === null || typeof value !== 'object' || Object.isFrozen(value)) return value
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T
  const copy = { ...value } as Record<string, unknown>
  for (const field in copy) {
    const entry = copy[field]
    if (entry === undefined) delete copy[field]
    else if (typeof entry === 'object') copy[field] = frozenCopy(entry)
  }
  return Object.freeze(copy) as T
}
