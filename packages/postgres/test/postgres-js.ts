import postgres from "postgres";

/** postgres.js on this database. It takes the directory of a socket as an option only, not in the URL. */
export function connectPostgresJs(url: string, max = 2): postgres.Sql {
  const { hostname, port, username, password, pathname } = new URL(url);
  return postgres({
    host: decodeURIComponent(hostname),
    port: Number(port || 5432),
    username: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    max,
    onnotice: () => {},
  });
}
