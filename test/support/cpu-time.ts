/** The milliseconds that the processor worked on a function of this thread. Other processes of the machine do not count. */
export function cpuMilliseconds(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}
