/**
 * The milliseconds that the processor worked on a function of this thread. Other processes of the machine do not count. Some
 * systems count in steps of several milliseconds, so less than that may be 0.
 */
export function cpuMilliseconds(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
