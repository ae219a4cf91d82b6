// How records name a person, and whether two names may be one person. Who spoke to a function on AWS is known by STS: an ARN.
// The name of anybody else is marked, at a desk and wherever a command takes a name by --by, because nobody has checked it.
// The mark is part of `by` in every record, so whatever shows who spoke shows it too. No ARN ends so.

const MARK = ' (not verified)'

export function asNotVerified(name: string): string {
  return `${name}${MARK}`
}

/** The ARN, or the name as it was given. */
export function nameIn(by: string): string {
  return by.endsWith(MARK) ? by.slice(0, -MARK.length) : by
}

/**
 * Whether two may be one person. The same person may come by two roles: so the name alone counts, that of the user or of
 * the session, however it is spelled. Two people whose sessions have one name count as one, which asks for a third.
 */
export function isSamePerson(one: string, other: string): boolean {
  return personOf(one) === personOf(other)
}

/** The name by which a person is known, in small letters. */
export function personOf(by: string): string {
  const name = nameIn(by)
  return name.slice(name.lastIndexOf('/') + 1).toLowerCase()
}
