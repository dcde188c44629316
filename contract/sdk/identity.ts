/**
 * Whether pages must prove who their user is: `off` ignores signatures, `report` checks those that are sent and counts the
 * rest, `required` refuses a page without one.
 */
export const identitySettings = ['off', 'report', 'required'] as const
export type IdentitySetting = (typeof identitySettings)[number]

/** Ids of anonymous visitors begin so. The server makes them; a page cannot identify as one. */
export const ANONYMOUS_PREFIX = 'anonymous:'

/** How a page has proved who its user is: by a good signature, not at all, or by one that is not good. */
export const proofKinds = ['signed', 'unsigned', 'wrong'] as const
export type ProofKind = (typeof proofKinds)[number]
