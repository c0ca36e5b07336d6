import {
  Button,
  UNSTABLE_ToastRegion as Region,
  Text,
  UNSTABLE_Toast as Toast,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastQueue as ToastQueue,
} from "react-aria-components";
import { Icon } from "./icon.tsx";
import { visible } from "./visible.ts";

interface Message {
  readonly title: string;
  readonly detail?: string;
}

const queue = new ToastQueue<Message>({ maxVisibleToasts: 3 });

/** Says what has happened, for six seconds. What failed stays where it failed. */
export function notify(title: string, detail?: string): void {
  queue.add(
    { title: visible(title), ...(detail === undefined ? {} : { detail: visible(detail) }) },
    { timeout: 6_000 },
  );
}

export function ToastRegion() {
  return (
    <Region queue={queue} className="toasts">
      {({ toast }) => (
        <Toast toast={toast} className="toast">
          <Icon name="check" className="good" />
          <ToastContent>
            <Text slot="title" className="toast-title">
              {toast.content.title}
            </Text>
            {toast.content.detail !== undefined && (
              <Text slot="description" className="toast-detail">
                {toast.content.detail}
              </Text>
            )}
          </ToastContent>
          <Button slot="close" className="icon-btn" aria-label="Close">
            <Icon name="close" />
          </Button>
        </Toast>
      )}
    </Region>
  );
}
