// In the place of psql, which not every machine has: `psql URL -c STATEMENT`.
import pg from "pg";

const [url, , statement] = process.argv.slice(2);
const client = new pg.Client({ connectionString: url });
await client.connect();
const { command, oid, rowCount } = await client.query(statement);
console.log(command === "INSERT" ? `${command} ${oid} ${rowCount}` : `${command} ${rowCount}`);
await client.end();
