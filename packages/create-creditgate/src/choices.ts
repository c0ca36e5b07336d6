/** What is asked, in this order. The first value is the default; usage waits where a shared ledger is. */
export const questions = {
  framework: {
    message: "Which framework?",
    values: { express: "Express", next: "Next.js", hono: "Hono", fastify: "Fastify" },
  },
  service: {
    message: "Where do your customers' credits live?",
    values: {
      embedded: "in a control plane that runs beside the application",
      existing: "in a control plane that runs already",
      table: "in a PostgreSQL table of yours",
    },
  },
  ledger: {
    message: "How many processes spend a customer's credits?",
    values: {
      memory: "one: ledger in memory",
      redis: "several: ledger in Redis",
      postgres: "several: ledger in PostgreSQL",
    },
  },
  outbox: {
    message: "Where does usage wait until it is delivered?",
    values: {
      sqlite: "in a file, which a crash leaves",
      redis: "in Redis",
      postgres: "in PostgreSQL",
      memory: "in memory, which a crash loses",
    },
  },
} as const;

export type Question = keyof typeof questions;

/** A value for each question. */
export type Choices = { readonly [Q in Question]: string & keyof (typeof questions)[Q]["values"] };

/** The values of a question, its default first. */
export function valuesOf<Q extends Question>(question: Q): readonly Choices[Q][];
export function valuesOf(question: Question): readonly string[] {
  return Object.keys(questions[question].values);
}
