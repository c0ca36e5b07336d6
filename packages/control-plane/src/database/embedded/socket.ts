import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const port = 5432;
export const socketName: string = `.s.PGSQL.${port}`;

export interface SocketAddress {
  /** A URL of the server, without a database. */
  readonly url: string;
  release(): Promise<void>;
}

/**
 * PostgreSQL listens on a socket in its own data directory, which only its owner (and root) can enter. The kernel takes
 * some hundred bytes of path to a socket; a data directory that is deeper gets a short alias.
 */
export async function socketAddress(dataDirectory: string, user: string): Promise<SocketAddress> {
  const url = (folder: string) => `postgres://${user}@${encodeURIComponent(folder)}:${port}`;
  if (Buffer.byteLength(path.join(dataDirectory, socketName)) <= 103) {
    return { url: url(dataDirectory), release: () => Promise.resolve() };
  }
  const folder = await mkdtemp(path.join(tmpdir(), "creditgate-"));
  const alias = path.join(folder, "pg");
  await symlink(dataDirectory, alias);
  return { url: url(alias), release: () => rm(folder, { recursive: true, force: true }) };
}
