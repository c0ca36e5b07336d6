export async function benchmarkMemory(): Promise<void> {}
