import { benchmarkHotWallets } from "./fleet/hot-wallet-page.ts";
import { benchmarkIdle } from "./fleet/idle-fleet.ts";
import { benchmarkRecalls } from "./fleet/recalls.ts";
import { startRedisServer } from "./fleet/redis-server.ts";
import { redisStores, type StoreServer, startPostgresStores } from "./fleet/store-server.ts";
import { benchmarkStranded } from "./fleet/stranded.ts";

/** What a wallet costs that many processes share, beside what a user would ask instead before each piece of work. */
export async function benchmarkFleet(): Promise<void> {
  const redis = await startRedisServer();
  const stores: StoreServer[] = [redisStores(redis)];
  try {
    stores.push(await startPostgresStores());
    await benchmarkHotWallets(stores);
    console.log();
    await benchmarkRecalls(stores);
    console.log();
    await benchmarkStranded(stores);
    console.log();
    await benchmarkIdle(redis);
  } finally {
    for (const store of stores) await store.stop();
  }
}
