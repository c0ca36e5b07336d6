import { useState } from "react";
import { Button, Dialog, Heading, Modal, ModalOverlay } from "react-aria-components";
import { Icon } from "../parts/icon.tsx";
import { useJumpPages } from "./pages.ts";
import { hasSingleKeys, isApple, setSingleKeys } from "./use-keys.ts";

/** The keys that there are, and whether single ones do something. */
export function KeyList({ onClose }: { readonly onClose: () => void }) {
  const pages = useJumpPages();
  const [isOn, setIsOn] = useState(hasSingleKeys);
  return (
    <ModalOverlay className="scrim" isOpen isDismissable onOpenChange={(isOpen) => isOpen || onClose()}>
      <Modal className="modal">
        <Dialog className="dialog keys">
          <Heading slot="title" level={2}>
            Keyboard shortcuts
          </Heading>
          <Button className="icon-btn close" aria-label="Close" onPress={onClose}>
            <Icon name="close" />
          </Button>
          <dl>
            <Key name="Search, or jump to a page or a customer" keys={[isApple ? "⌘" : "Ctrl", "K"]} />
            <Key name="Search in the page" keys={["/"]} />
            <Key name="Next row, previous row" keys={["j", "k"]} />
            <Key name="Open the row" keys={["Enter"]} />
            <Key name="New" keys={["n"]} />
            <Key name="Pause live updates" keys={["p"]} />
            <Key name="This list" keys={["?"]} />
            <Key name="Close" keys={["Esc"]} />
          </dl>
          <h3>Pages</h3>
          <dl>
            {pages.map(
              ({ to, name, letter }) =>
                letter !== undefined && <Key key={to} name={name} keys={["g", letter]} />,
            )}
          </dl>
          <label className="check">
            <input
              type="checkbox"
              checked={isOn}
              onChange={({ target }) => {
                setSingleKeys(target.checked);
                setIsOn(target.checked);
              }}
            />
            Enable single-key shortcuts in this browser
          </label>
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Key({ name, keys }: { readonly name: string; readonly keys: readonly string[] }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {keys.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </dd>
    </div>
  );
}
