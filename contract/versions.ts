/**
 * The dated versions of the API, oldest first. A second version is a new row: `request` turns its bodies into those of the latest version,
 * `response` turns objects of the latest version into its own. The latest version needs neither.
 */
export const versions = {
  '2020-01-03': {},
} as const

export const VERSION_HEADER = 'Service-Version'

export type Version = keyof typeof versions

export const versionNames = Object.keys(versions) as [Version, ...Version[]]
export const latestVersion = versionNames.at(-1) as Version

export function isVersion(text: string): text is Version {
  return Object.hasOwn(versions, text)
}
