import type { Commands } from "./command.ts";

export const operators: Commands = {
  invite: {
    summary: "a link for another operator, which is shown once",
    arguments: ["email"],
    run: ({ client, argument }) => client.users.inviteOperator({ email: argument("email") }),
  },
  invitations: {
    summary: "pending invitations of operators",
    async *run({ client }) {
      yield* await client.users.operatorInvitations();
    },
  },
  revoke: {
    summary: "revokes the invitation of an operator",
    arguments: ["invitation"],
    run: ({ client, argument }) => client.users.revokeOperatorInvitation(argument("invitation")),
  },
};
