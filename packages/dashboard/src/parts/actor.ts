/** Who made a change, as people say it. The audit log has it as `user:<e-mail>`, `admin:<name>`, `key:<id>` or a part of the service. */
export function actorName(actor: string | null): string {
  if (actor === null) return "";
  const [kind = "", ...rest] = actor.split(":");
  const name = rest.join(":");
  if (name === "") return actor;
  if (kind === "admin") return `admin token ${name}`;
  if (kind === "key") return `API key ${name}`;
  const [email = name, token] = name.split("/");
  return token === undefined ? email : `${email}, by token ${token}`;
}
