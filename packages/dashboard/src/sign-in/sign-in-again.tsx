import { Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { accountKey, queryClient } from "../api/client.ts";
import { useSignIn } from "./sign-in-page.tsx";
import { SignForm } from "./sign-page.tsx";

/** Covers a page whose session has ended, so that it keeps what was typed. Somebody else gets a page of their own. */
export function SignInAgain({ email }: { readonly email: string | undefined }) {
  const form = useSignIn(async (account) => {
    if (account.user?.email !== email) return location.reload();
    queryClient.setQueryData(accountKey, account);
    await queryClient.invalidateQueries();
  }, email);
  return (
    <ModalOverlay className="scrim sign again" isOpen>
      <Modal>
        <Dialog>
          <SignForm
            title={
              <Heading slot="title" level={2}>
                Your session has ended
              </Heading>
            }
            words="Sign in again to continue. What you typed is kept."
            {...form}
          />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}
